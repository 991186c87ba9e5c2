// Tests may replace the global clock and timers by fakes.
import { performance } from 'node:perf_hooks';
import { clearTimeout, setTimeout } from 'node:timers';
import { DEFAULT_SESSION, type MockNotice, type Session } from '../../core/service/service.ts';
import type { Store } from '../../state/store/store.ts';
import { type DiskFile, toUnwritable } from './disk-file.ts';
import { toStateText } from './write-state.ts';

/** Takes what happens while a state file is in use. Neither function throws. */
export interface StateFileReports {
  readonly report: (error: unknown) => void;
  readonly notify: (notice: MockNotice) => void;
}

/** How often the version of the store is compared with the one that was written. Requests do nothing for it. */
const TICK_MS = 100;

/** The longest time that changes wait for a pause between them, and the shortest between two writes. */
const MOST_WAIT_MS = 1000;

/** A write that takes long is followed by a pause of this many times as long. */
const PAUSE = 10;

/** Writes the state of a session to a file whenever it has changed. */
export class Keeper {
  readonly #session: Session;
  readonly #file: DiskFile;
  readonly #reports: StateFileReports;
  /** The version of the store that was written last, or that could not be written. */
  #written: number;
  /** The version at the last tick. */
  #seen: number;
  /** The time of the first change that is not written. */
  #changedAt: number | undefined;
  #notBefore = 0;
  #hasFailed = false;
  #isBackupWanted = false;
  /** The last complaint, which each write would repeat. */
  #complaint = '';
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(session: Session, file: DiskFile, reports: StateFileReports) {
    this.#session = session;
    this.#file = file;
    this.#reports = reports;
    this.#written = versionOf(session.store);
    this.#seen = this.#written;
    this.#schedule();
  }

  /** Writes what is not written yet. Does not reject: a failure is reported. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => {
      const isDirty = this.#hasFailed || versionOf(this.#session.store) !== this.#written;
      return isDirty ? this.#write() : undefined;
    });
    return this.#writing;
  }

  /** Lets the next write keep the former text in `FILE.bak`, because changes of clients were dropped. */
  backUp(): void {
    this.#isBackupWanted = true;
  }

  /** Writes the latest state, and from then on nothing by itself. */
  close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    return this.flush();
  }

  /** Writes by itself again after it was closed. */
  open(): void {
    if (!this.#isClosed) return;
    this.#isClosed = false;
    this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#tick(), TICK_MS).unref();
  }

  async #tick(): Promise<void> {
    const version = versionOf(this.#session.store);
    if (version !== this.#written) {
      const now = performance.now();
      this.#changedAt ??= now;
      const isDue = version === this.#seen || now - this.#changedAt >= MOST_WAIT_MS;
      this.#seen = version;
      if (isDue && now >= this.#notBefore) await this.flush();
    }
    this.#schedule();
  }

  async #write(): Promise<void> {
    const start = performance.now();
    this.#changedAt = undefined;
    this.#written = versionOf(this.#session.store);
    try {
      await this.#session.service.initial.ready();
      const { service, store } = this.#session;
      this.#written = versionOf(store);
      const backup = this.#isBackupWanted ? `${this.#file.path}.bak` : undefined;
      const place = await this.#file.write(toStateText(service, store.snapshot()), backup);
      this.#hasFailed = false;
      this.#isBackupWanted = false;
      if (place === 'written') this.#complaint = '';
      else this.#complain(toChanged(this.#file), (message) => this.#reports.notify(toNotice(message)));
    } catch (cause) {
      this.#hasFailed = true;
      const error = await toUnwritable(cause, this.#file.path);
      this.#complain(error.message, () => this.#reports.report(error));
    }
    const end = performance.now();
    this.#notBefore = Math.max(start + MOST_WAIT_MS, end + (end - start) * PAUSE);
  }

  #complain(message: string, say: (message: string) => void): void {
    if (message !== this.#complaint) say(message);
    this.#complaint = message;
  }
}

/** Both versions of a store come from one counter, so the latest one stands for both. */
function versionOf({ version, hiddenVersion }: Store): number {
  return Math.max(version, hiddenVersion);
}

function toNotice(message: string): MockNotice {
  return { code: 'state-file-changed', session: DEFAULT_SESSION, message };
}

function toChanged({ path, beside }: DiskFile): string {
  return `Another program has changed ${path}, so that file stays as it is, and the state goes to ${beside}. Restart to begin with ${path}, or move it away to go on without it.`;
}

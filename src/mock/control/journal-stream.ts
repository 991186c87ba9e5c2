import { LIMITS } from '../../base/limits.ts';
import type { Journal, JournalEntry } from '../../core/journal/journal.ts';
import type { Sink, Source } from '../../wire/message/message.ts';

/** An estimate of what an entry takes without its bodies. */
const ENTRY_SIZE = 1024;

/** Proxies often end a connection that is silent for 30 or 60 seconds. */
const HEARTBEAT_MS = 15_000;

/** A client connects again after a second, about as long as a restart takes. */
const START = 'retry: 1000\n\n';
const HEARTBEAT = ': \n\n';
const CLEARED = 'event: cleared\ndata: {}\n\n';

interface JournalStreamParts {
  readonly journal: Journal;
  /** The entries to begin with. */
  readonly past: readonly JournalEntry[];
  readonly isWanted: (entry: JournalEntry) => boolean;
  /** Writes an entry in one line. */
  readonly toData: (entry: JournalEntry) => string;
  readonly onClose: () => void;
}

/** An event that waits to be sent, with its size. */
interface Waiting {
  readonly event: JournalEntry | string;
  readonly size: number;
}

/**
 * Sends the entries of a journal as server-sent events, first those that it has, then each new one. Sends no faster than the client
 * reads, and gives it up once too many new entries wait for it.
 */
export class JournalStream implements Source {
  readonly #sink: Sink;
  readonly #parts: JournalStreamParts;
  /** A Set keeps its order, and drops its first member at once. */
  readonly #waiting: Set<Waiting>;
  #unread = 0;
  #keepsUp = true;
  #isOpen = true;
  readonly #heartbeat: NodeJS.Timeout;
  readonly #stopListening: () => void;

  constructor(sink: Sink, parts: JournalStreamParts) {
    this.#sink = sink;
    this.#parts = parts;
    this.#waiting = new Set([START, ...parts.past].map((event) => ({ event, size: 0 })));
    this.#stopListening = parts.journal.listen({
      onEntry: (entry) => this.#guard(() => this.#add(entry)),
      onClear: () => this.#guard(() => this.#enqueue(CLEARED, ENTRY_SIZE)),
      onEnd: () => this.#end(),
    });
    // A connection keeps the process alive by itself, and a stream in process need not.
    this.#heartbeat = setInterval(() => this.#guard(() => this.#beat()), HEARTBEAT_MS).unref();
    this.resume();
  }

  resume(): void {
    this.#keepsUp = true;
    this.#guard(() => this.#flush());
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearInterval(this.#heartbeat);
    this.#stopListening();
    this.#waiting.clear();
    this.#parts.onClose();
  }

  #end(): void {
    if (!this.#isOpen) return;
    this.close();
    this.#sink.end();
  }

  /** Ends the stream after an error, because it runs within the requests of others. */
  #guard(act: () => void): void {
    try {
      if (this.#isOpen) act();
    } catch {
      this.#end();
    }
  }

  #add(entry: JournalEntry): void {
    if (!this.#parts.isWanted(entry)) return;
    const { request, response } = entry;
    this.#enqueue(entry, ENTRY_SIZE + (request.body?.length ?? 0) + (response.body?.length ?? 0));
  }

  #enqueue(event: Waiting['event'], size: number): void {
    if (this.#unread > LIMITS.unreadEvents.value) {
      this.#end();
      return;
    }
    this.#waiting.add({ event, size });
    this.#unread += size;
    this.#flush();
  }

  #flush(): void {
    for (const waiting of this.#waiting) {
      if (!this.#keepsUp) return;
      this.#waiting.delete(waiting);
      this.#unread -= waiting.size;
      this.#keepsUp = this.#sink.write(this.#toText(waiting.event));
    }
  }

  #toText(event: Waiting['event']): string {
    return typeof event === 'string' ? event : `id: ${event.id}\ndata: ${this.#parts.toData(event)}\n\n`;
  }

  #beat(): void {
    if (this.#keepsUp) this.#keepsUp = this.#sink.write(HEARTBEAT);
  }
}

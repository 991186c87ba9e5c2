import type { Ledger } from '../../base/budget.ts';
import { LIMITS } from '../../base/limits.ts';
import { type JournalEntry, type Recorded, toJournalEntry } from './journal-entry.ts';

export {
  type AnswerSource,
  type ExchangeOutline,
  type JournalEntry,
  type JournalFault,
  type JournalProblem,
  type Recorded,
  toJournalEntry,
  toOutline,
} from './journal-entry.ts';
export { type Breach, CLEAN, type Judgement, toBreachText } from './judgement.ts';

/** The bounded record of exchanges, oldest first. */
export interface Journal {
  /** Records an exchange and returns its id. `bytes` is about how much memory it holds. */
  record(exchange: Recorded, bytes: number): number;
  entries(): JournalEntry[];
  /** Removes all entries. The next id is that after the last one. */
  clear(): void;
  /** Drops the oldest entries until they have released so many bytes, or none is left. */
  dropOldest(bytes: number): void;
  /** How many entries since the last `clear` were dropped: newer ones replaced them, or their memory was needed. */
  readonly dropped: number;
  /** The id of the newest entry; 0 before the first one. */
  readonly last: number;
  /** Calls a listener from now on. Returns the function that ends this. */
  listen(listener: JournalListener): () => void;
  /** Lets the listeners know that the session has ended. */
  end(): void;
}

/** Follows a journal. Its functions must not throw. */
interface JournalListener {
  /** Called with every new entry, after it is recorded. */
  onEntry(entry: JournalEntry): void;
  /** Called after all entries were removed. */
  onClear?(): void;
  /** Called once the session has ended. */
  onEnd?(): void;
}

interface JournalBounds {
  /** 0 records nothing, but still counts. */
  readonly entries: number;
  /** The bound for all exchanges together. The newest one is recorded whatever its size. */
  readonly bytes: number;
}

/** Creates a ring in which a new exchange replaces the oldest one. `ledger` counts its bytes too. */
export function createJournal(
  ledger: Pick<Ledger, 'spend'> = { spend: () => {} },
  { entries = LIMITS.journalEntries.value, bytes = LIMITS.journalBytes.value }: Partial<JournalBounds> = {},
): Journal {
  return new Ring(ledger, { entries, bytes });
}

/** Records nothing. */
export const NO_JOURNAL: Journal = {
  record: () => 0,
  entries: () => [],
  clear: () => {},
  dropOldest: () => {},
  dropped: 0,
  last: 0,
  listen: () => () => {},
  end: () => {},
};

/** A class, to save memory: there may be ten thousand sessions. */
class Ring implements Journal {
  readonly #ledger: Pick<Ledger, 'spend'>;
  readonly #bounds: JournalBounds;
  #exchanges: (Recorded | undefined)[] = [];
  /** Stored, because a dropped exchange is no longer in the CPU cache when its size is needed. */
  #sizes: number[] = [];
  #first = 0;
  #count = 0;
  #held = 0;
  /** The id of the newest entry. The others follow from their places. */
  #last = 0;
  #dropped = 0;
  #listeners: Set<JournalListener> | undefined;

  constructor(ledger: Pick<Ledger, 'spend'>, bounds: JournalBounds) {
    this.#ledger = ledger;
    this.#bounds = bounds;
  }

  get dropped(): number {
    return this.#dropped;
  }

  get last(): number {
    return this.#last;
  }

  record(exchange: Recorded, size: number): number {
    this.#last += 1;
    if (this.#bounds.entries > 0) this.#store(exchange, size);
    else this.#dropped += 1;
    if (this.#listeners) this.#announce(exchange);
    return this.#last;
  }

  #store(exchange: Recorded, size: number): void {
    const { entries: most, bytes: limit } = this.#bounds;
    this.#held += size;
    while (this.#count > 0 && (this.#count >= most || this.#held > limit)) this.#drop();
    const place = (this.#first + this.#count) % most;
    this.#exchanges[place] = exchange;
    this.#sizes[place] = size;
    this.#count += 1;
    this.#ledger.spend(size);
  }

  entries(): JournalEntry[] {
    const at = (index: number) => this.#exchanges[(this.#first + index) % this.#bounds.entries] as Recorded;
    const before = this.#last - this.#count;
    return Array.from({ length: this.#count }, (_, index) => toJournalEntry(at(index), before + index + 1));
  }

  listen(listener: JournalListener): () => void {
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
    return () => {
      this.#listeners?.delete(listener);
      if (this.#listeners?.size === 0) this.#listeners = undefined;
    };
  }

  clear(): void {
    this.#ledger.spend(-this.#held);
    this.#held = 0;
    this.#count = 0;
    this.#dropped = 0;
    this.#exchanges = [];
    this.#sizes = [];
    for (const listener of [...(this.#listeners ?? [])]) listener.onClear?.();
  }

  dropOldest(bytes: number): void {
    const enough = this.#held - bytes;
    while (this.#count > 0 && this.#held > enough) this.#drop();
  }

  end(): void {
    for (const listener of [...(this.#listeners ?? [])]) listener.onEnd?.();
  }

  #announce(exchange: Recorded): void {
    const entry = toJournalEntry(exchange, this.#last);
    for (const listener of [...(this.#listeners ?? [])]) listener.onEntry(entry);
  }

  #drop(): void {
    const size = this.#sizes[this.#first] as number;
    this.#held -= size;
    this.#ledger.spend(-size);
    this.#exchanges[this.#first] = undefined;
    this.#first = (this.#first + 1) % this.#bounds.entries;
    this.#count -= 1;
    this.#dropped += 1;
  }
}

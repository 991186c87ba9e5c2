import type { Budget } from './cache.ts';
import { type JournalEntry, type Recorded, toJournalEntry } from './journal/journal-entry.ts';

export {
  type AnswerSource,
  type JournalEntry,
  type JournalFault,
  type JournalProblem,
  type Recorded,
  toJournalEntry,
} from './journal/journal-entry.ts';

/** The bounded record of exchanges, oldest first. */
export interface Journal {
  /** Records an exchange and returns its id. `bytes` is about how much memory it holds. */
  record(exchange: Recorded, bytes: number): number;
  entries(): JournalEntry[];
  /** Removes all entries. The next id is that after the last one. */
  clear(): void;
  /** The entries since the last `clear` that newer ones have replaced. */
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

/** A thousand entries would live long enough for the collector to promote them, which would slow down POST by a quarter. */
export const MOST_ENTRIES = 250;
const MOST_BYTES = 8 * 1024 * 1024;

/** Creates a ring in which a new exchange replaces the oldest one. `budget` counts its bytes too. */
export function createJournal(
  budget: Pick<Budget, 'spend'> = { spend: () => {} },
  { entries = MOST_ENTRIES, bytes = MOST_BYTES }: Partial<JournalBounds> = {},
): Journal {
  return new Ring(budget, { entries, bytes });
}

/** Records nothing. */
export const NO_JOURNAL: Journal = {
  record: () => 0,
  entries: () => [],
  clear: () => {},
  dropped: 0,
  last: 0,
  listen: () => () => {},
  end: () => {},
};

/** A class, to save memory: there may be ten thousand sessions. */
class Ring implements Journal {
  readonly #budget: Pick<Budget, 'spend'>;
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

  constructor(budget: Pick<Budget, 'spend'>, bounds: JournalBounds) {
    this.#budget = budget;
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
    this.#budget.spend(size);
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
    this.#budget.spend(-this.#held);
    this.#held = 0;
    this.#count = 0;
    this.#dropped = 0;
    this.#exchanges = [];
    this.#sizes = [];
    for (const listener of [...(this.#listeners ?? [])]) listener.onClear?.();
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
    this.#budget.spend(-size);
    this.#exchanges[this.#first] = undefined;
    this.#first = (this.#first + 1) % this.#bounds.entries;
    this.#count -= 1;
    this.#dropped += 1;
  }
}

/** Counts by key, of at most so many keys. What comes later is counted together. */
export class Tally<Details extends object> {
  readonly #most: number;
  readonly #counts = new Map<string, Details & { count: number }>();
  /** Describes all that found no place; absent where those are not listed. */
  readonly #others: Details | undefined;
  #rest = 0;

  constructor(most: number, others?: Details) {
    this.#most = most;
    this.#others = others;
  }

  /** Counts one. `describe` is called for a key that is new. */
  add(key: string, describe: () => Details): void {
    const known = this.#counts.get(key);
    if (known) known.count += 1;
    else if (this.#counts.size < this.#most) this.#counts.set(key, { ...describe(), count: 1 });
    else this.#rest += 1;
  }

  /** The counts until now, the most frequent first. */
  list(): (Details & { readonly count: number })[] {
    const rest = this.#others && this.#rest > 0 ? [{ ...this.#others, count: this.#rest }] : [];
    const counts = [...this.#counts.values()].map((each) => ({ ...each }));
    return [...rest, ...counts].sort((one, other) => other.count - one.count);
  }

  clear(): void {
    this.#counts.clear();
    this.#rest = 0;
  }
}

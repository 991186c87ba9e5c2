/** Finds duplicate items in lists. */
export interface Twins {
  /** The positions of the first two equal items; `undefined` if all differ. */
  find(items: readonly unknown[]): readonly [first: number, second: number] | undefined;
  /** Drops the values that it has numbered. */
  forget(): void;
}

/** Gives equal JSON values, and only these, the same number. Visits each member once, however deeply lists nest. */
export function createTwins(): Twins {
  const numbers = new Map<string, number>();
  const known = new Map<object, number>();
  const numberText = (text: string): number => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  const numberOf = (value: unknown): number => {
    if (typeof value === 'string') return numberText(`"${value}`);
    // As text, 1 and 1.0 are the same, and so are 0 and -0.
    if (typeof value !== 'object' || value === null) return numberText(String(value));
    const number = known.get(value) ?? numberText(toText(value));
    known.set(value, number);
    return number;
  };
  /** A list or an object as the text of its members' numbers. */
  const toText = (value: object): string => {
    if (Array.isArray(value)) return `[${value.map(numberOf).join(',')}`;
    const members = Object.entries(value).map(([name, of]) => `${JSON.stringify(name)}:${numberOf(of)}`);
    return `{${members.sort().join(',')}`;
  };
  return {
    find: (items) => findFirstTwins(items, numberOf),
    forget() {
      if (known.size === 0) return;
      numbers.clear();
      known.clear();
    },
  };
}

function findFirstTwins(
  items: readonly unknown[],
  numberOf: (value: unknown) => number,
): ReturnType<Twins['find']> {
  const scalars = new Map<unknown, number>();
  const nested = new Map<unknown, number>();
  for (let place = 0; place < items.length; place++) {
    const item = items[place];
    const isNested = typeof item === 'object' && item !== null;
    const places = isNested ? nested : scalars;
    const key = isNested ? numberOf(item) : item;
    const first = places.get(key);
    if (first !== undefined) return [first, place];
    places.set(key, place);
  }
  return undefined;
}

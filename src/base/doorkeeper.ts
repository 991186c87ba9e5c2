/** Recognizes keys that come again, in a fixed amount of memory. */
export interface Doorkeeper {
  /**
   * Whether a key has come before. Forgets a key when another one takes its place, and rarely takes a new key for a known one, so
   * nothing but the use of memory may depend on it.
   */
  knows(key: string): boolean;
}

export function createDoorkeeper(): Doorkeeper {
  return new HashedKeys();
}

/** As many as 8 bits can name. */
const PLACES = 256;

/** The end of a long key distinguishes most of them. */
const HASHED_CHARACTERS = 256;

/** A class, to save memory: each of ten thousand sessions has one. */
class HashedKeys implements Doorkeeper {
  /** Made at the first use. */
  #marks: Uint16Array | undefined;

  knows(key: string): boolean {
    const hash = toHash(key);
    const place = hash >>> 24;
    // No mark is 0, that of an empty place.
    const mark = (hash & 0xffff) | 1;
    this.#marks ??= new Uint16Array(PLACES);
    if (this.#marks[place] === mark) return true;
    this.#marks[place] = mark;
    return false;
  }
}

function toHash(key: string): number {
  let hash = key.length;
  for (let at = Math.max(0, key.length - HASHED_CHARACTERS); at < key.length; at++) {
    hash = Math.imul(hash ^ key.charCodeAt(at), -1640531535);
    hash ^= hash >>> 15;
  }
  return Math.imul(hash, -2048144789) >>> 0;
}

import { LIMITS } from '../base/limits.ts';

/** Writes texts a little later, together. */
export interface Soon {
  /** Writes a text at the end of this turn of the event loop, or a few milliseconds later. */
  write(text: string): void;
  /** Writes the waiting texts now. */
  flush(): void;
  /** Whether too much is unread to write more. */
  readonly isFull: boolean;
}

/** A stream of texts, such as standard output. */
interface Output {
  write(text: string): unknown;
  /** The length of the text that nobody has read yet. */
  readonly writableLength: number;
}

/** A program that starts a server may never read its output. This is enough for some ten thousand lines. */
const { value: MOST_UNREAD } = LIMITS.logUnread;

/** The milliseconds between two writes of a busy log. */
const PAUSE_MS = 10;

/**
 * Collects the texts of one turn of the event loop for one write, as `server/batch.ts` collects answers, and under load those of a few
 * milliseconds: a write for each turn costs more than making most answers. A process that ends has to call `flush`.
 */
export function createSoon(output: Output): Soon {
  let waiting: string[] = [];
  let written = Number.NEGATIVE_INFINITY;
  const flush = () => {
    if (waiting.length === 0) return;
    const texts = waiting;
    waiting = [];
    written = performance.now();
    // Joining makes one flat text, which takes a fifth of the memory of a concatenated one.
    output.write(texts.join(''));
  };
  const schedule = () => {
    const isQuiet = performance.now() - written >= PAUSE_MS;
    if (isQuiet) setImmediate(flush);
    else setTimeout(flush, PAUSE_MS);
  };
  return {
    write(text) {
      if (waiting.length === 0) schedule();
      waiting.push(text);
    },
    flush,
    get isFull() {
      return output.writableLength > MOST_UNREAD;
    },
  };
}

/** A text in pieces, each of which takes well below a millisecond. An empty one is a pause. */
export type Pieces = Generator<string, void, undefined>;

/** The characters after which a piece ends, about what a socket takes at a time. */
const PIECE = 64 * 1024;

/** Joins small pieces. */
export function* joinPieces(pieces: Pieces): Pieces {
  let part = '';
  for (const piece of pieces) {
    part += piece;
    const isLong = part.length >= PIECE;
    yield isLong ? part : '';
    if (isLong) part = '';
  }
  yield part;
}

/** Writes items one after the other. */
export function* toPieces(
  items: Iterable<unknown>,
  write: (item: unknown) => string,
  separator = '',
): Pieces {
  let texts: string[] = [];
  let length = 0;
  let isFirst = true;
  for (const item of items) {
    const text = write(item);
    texts.push(isFirst ? text : separator + text);
    isFirst = false;
    length += text.length;
    if (length < PIECE) continue;
    yield texts.join('');
    texts = [];
    length = 0;
  }
  yield texts.join('');
}

import type { Format, Pieces } from '../codecs/codecs.ts';
import type { Outcome } from '../message/message.ts';
import type { Steps } from '../slices.ts';
import { sendInSlices } from './send-in-slices.ts';

/** The characters up to which a long answer is made whole, with its length and its ETag. They are joined and hashed in one turn. */
const MOST_WHOLE = 4 * 1024 * 1024;

/** Writes a body with long lists: its text if it is short or must be whole, else the stream that makes the rest while it is sent. */
export function* writeLong(
  { mediaType, writePieces }: Format,
  body: unknown,
  isWhole = false,
): Steps<string | NonNullable<Outcome['stream']>> {
  const pieces = writePieces(body);
  const texts: string[] = [];
  for (let length = 0; isWhole || length <= MOST_WHOLE; ) {
    const { done, value } = pieces.next();
    if (done) return texts.join('');
    texts.push(value);
    length += value.length;
    yield;
  }
  return { mediaType, ends: true, open: (sink) => sendInSlices(joinPieces(texts, pieces), sink) };
}

function* joinPieces(texts: readonly string[], rest: Pieces): Pieces {
  yield* texts;
  yield* rest;
}

import { LIMITS } from '../../base/limits.ts';
import type { Steps } from '../../base/slices.ts';
import type { Format } from '../../wire/codecs/codecs.ts';
import type { Outcome } from '../../wire/message/message.ts';
import { sendInSlices } from './send-in-slices.ts';

/**
 * Writes a body with long lists: its text if it is short or must be whole, else the stream that makes it while it is sent. A text
 * gets a length and an ETag, and is joined and hashed in one turn.
 */
export function* writeLong(
  { mediaType, writePieces }: Format,
  body: unknown,
  isWhole = false,
): Steps<string | NonNullable<Outcome['stream']>> {
  const pieces = writePieces(body);
  const texts: string[] = [];
  for (let length = 0; isWhole || length <= LIMITS.wholeAnswer.value; ) {
    const { done, value } = pieces.next();
    if (done) return texts.join('');
    if (value !== '') texts.push(value);
    length += value.length;
    yield;
  }
  // Written anew, because a client that does not read would hold the texts.
  return { mediaType, ends: true, open: (sink) => sendInSlices(writePieces(body), sink) };
}

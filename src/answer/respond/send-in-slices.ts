import { beginSlice, inSlice } from '../../base/slices.ts';
import type { Pieces } from '../../wire/codecs/codecs.ts';
import type { Sink, Source } from '../../wire/message/message.ts';

/** Sends pieces as fast as the client reads them, and makes them in slices, so that others have their turns. */
export function sendInSlices(pieces: Pieces, sink: Sink): Source {
  let isOpen = true;
  /** Whether a slice has its turn soon. */
  let isDue = false;
  const goOn = () => {
    if (isDue || !isOpen) return;
    isDue = true;
    inSlice(() => {
      isDue = false;
      if (isOpen) send();
    });
  };
  const send = () => {
    try {
      const next = sendSlice(pieces, sink);
      if (next === 'done') isOpen = false;
      else if (next === 'slice') goOn();
    } catch (error) {
      isOpen = false;
      sink.fail(error);
    }
  };
  goOn();
  return {
    resume: goOn,
    close() {
      isOpen = false;
      pieces.return();
    },
  };
}

/** Sends the pieces of a slice, and ends with the last one. Returns what to wait for: the client to read, or the next slice. */
function sendSlice(pieces: Pieces, sink: Sink): 'done' | 'client' | 'slice' {
  const isOver = beginSlice();
  do {
    const { done, value } = pieces.next();
    if (done) {
      sink.end();
      return 'done';
    }
    if (value !== '' && !sink.write(value)) return 'client';
  } while (!isOver());
  return 'slice';
}

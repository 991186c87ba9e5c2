import { LIMITS } from '../../base/limits.ts';
import type { Sessions } from '../../core/service/service.ts';

const { value: MOST_STREAMS } = LIMITS.streams;

/** A place among the streams of a mock. */
interface Place {
  /** Keeps the place while the stream is open. Returns `false` if others took it in the meantime. */
  keep(): boolean;
  leave(): void;
}

const places = new WeakMap<Sessions, Set<Place>>();

/** Reserves a place before the answer begins, so that simultaneous requests cannot exceed the limit; `undefined` if all are taken. */
export function reservePlace(sessions: Sessions): Place | undefined {
  const taken = places.get(sessions) ?? new Set<Place>();
  places.set(sessions, taken);
  if (taken.size >= MOST_STREAMS) return undefined;
  let isKept = false;
  const place: Place = {
    keep() {
      isKept = true;
      if (!taken.has(place) && taken.size >= MOST_STREAMS) return false;
      taken.add(place);
      return true;
    },
    leave: () => void taken.delete(place),
  };
  taken.add(place);
  // Answers go out at the end of this turn of the event loop. The place is free again if this one does not, as for HEAD or behind another
  // answer on its connection.
  setImmediate(() => setImmediate(() => isKept || place.leave()));
  return place;
}

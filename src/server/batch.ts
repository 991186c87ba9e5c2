/** Does what it is given at the end of the turn of the event loop, in order. */
export type Batch = (act: () => void) => void;

/**
 * Lets the answers to all requests that came in one turn of the event loop go out right after each other. A client that waits is
 * woken by the first of them and still busy when the others come, so that only one has to wake it, which costs more than to make
 * most answers. One answer alone waits for nothing.
 */
export function createBatch(): Batch {
  let waiting: (() => void)[] = [];
  const actAll = () => {
    const acts = waiting;
    waiting = [];
    for (const act of acts) act();
  };
  return (act) => {
    if (waiting.length === 0) setImmediate(actAll);
    waiting.push(act);
  };
}

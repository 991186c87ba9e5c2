/** Runs callbacks at the end of the turn of the event loop, in order. */
type Batch = (act: () => void) => void;

/**
 * Sends the answers to all requests of one turn of the event loop right after each other. The first one wakes the waiting client,
 * which is still busy when the others arrive. Waking it costs more than making most answers. A single answer is not delayed.
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

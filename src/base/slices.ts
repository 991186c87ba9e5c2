/** Work in steps: each `yield` is a point at which it may pause. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** How long the steps between two turns of the event loop may take, in milliseconds. */
const SLICE = 10;

/** The items that one step handles: a step should take well below a millisecond. */
export const STEP_ITEMS = 500;

/** Does all steps at once. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Does the steps in slices, and lets others have a turn of the event loop after each. */
export async function runInSlices<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const isOver = beginSlice();
    do {
      const { done, value } = steps.next();
      if (done) return value;
    } while (!isOver());
    await new Promise<void>(inSlice);
  }
}

/** Begins a slice. Returns whether it is over. */
export function beginSlice(): () => boolean {
  const end = performance.now() + SLICE;
  return () => performance.now() >= end;
}

/** The slices that wait for their turns. */
const waiting: (() => void)[] = [];

/** Runs a slice in a turn of the event loop of its own, so that others wait for one slice, however many there are. */
export function inSlice(act: () => void): void {
  waiting.push(act);
  if (waiting.length === 1) soon(runFirst);
}

function runFirst(): void {
  const act = waiting.shift();
  if (waiting.length > 0) soon(runFirst);
  act?.();
}

/** A page has no `setImmediate`. */
function soon(act: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(act);
  else setTimeout(act, 0);
}

/** Passes items on, with a pause after each `STEP_ITEMS` of them. */
export function* eachInSteps<T>(items: Iterable<T>, visit: (item: T) => void): Steps<void> {
  let count = 0;
  for (const item of items) {
    visit(item);
    count += 1;
    if (count % STEP_ITEMS === 0) yield;
  }
}

/** Sorts a list as `sort` does, and stably: parts of it, which it then merges. A short list is one part. */
export function* sortInSteps<T>(list: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  let parts: T[][] = [];
  for (let start = 0; start < list.length; start += 2 * STEP_ITEMS) {
    parts.push(list.slice(start, start + 2 * STEP_ITEMS).sort(compare));
    yield;
  }
  while (parts.length > 1) {
    const merged: T[][] = [];
    // Neighbours, so that equal items keep their order.
    for (let at = 0; at < parts.length; at += 2)
      merged.push(yield* mergeInSteps(parts[at] ?? [], parts[at + 1] ?? [], compare));
    parts = merged;
  }
  return parts[0] ?? [];
}

function* mergeInSteps<T>(
  one: readonly T[],
  other: readonly T[],
  compare: (a: T, b: T) => number,
): Steps<T[]> {
  const merged: T[] = [];
  let [left, right] = [0, 0];
  while (left < one.length && right < other.length) {
    const isLeft = compare(one[left] as T, other[right] as T) <= 0;
    merged.push((isLeft ? one[left++] : other[right++]) as T);
    if (merged.length % STEP_ITEMS === 0) yield;
  }
  for (; left < one.length; left++) merged.push(one[left] as T);
  for (; right < other.length; right++) merged.push(other[right] as T);
  return merged;
}

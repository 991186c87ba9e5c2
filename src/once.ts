/** Calls `make` for the first read, and returns its result from then on. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  // Released after the call, because it may retain much memory.
  let pending: (() => T) | undefined = make;
  return () => {
    if (pending) made = { value: pending() };
    pending = undefined;
    return (made as { readonly value: T }).value;
  };
}

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

/** Like `once`, for a value that takes time to load. A failure is not kept, so the next call tries again. */
export function onceLoaded<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

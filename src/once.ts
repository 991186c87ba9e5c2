/** Makes something when it is first asked for, and gives the same thing from then on. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  // Let go once it was called: it may hold much.
  let pending: (() => T) | undefined = make;
  return () => {
    if (pending) made = { value: pending() };
    pending = undefined;
    return (made as { readonly value: T }).value;
  };
}

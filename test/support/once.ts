/** Makes it on the first call, and gives the same one ever after: for what many cases of a table can share. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

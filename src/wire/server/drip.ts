/** Fewer pieces for a fast drip, each of a tenth of a second. */
const PIECES_PER_SECOND = 10;

/**
 * Sends bytes slowly, the first piece at once. Returns the function that ends it early.
 */
export function drip(
  bytes: Uint8Array,
  bytesPerSecond: number,
  write: (piece: Uint8Array) => void,
  end: () => void,
): () => void {
  const size = Math.max(1, Math.ceil(bytesPerSecond / PIECES_PER_SECOND));
  let sent = 0;
  let timer: NodeJS.Timeout | undefined;
  const next = () => {
    if (sent < bytes.length) write(bytes.subarray(sent, sent + size));
    sent += size;
    if (sent >= bytes.length) end();
    else timer = setTimeout(next, (size / bytesPerSecond) * 1000);
  };
  next();
  return () => clearTimeout(timer);
}

import { isAscii } from 'node:buffer';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8. Throws a `TypeError` for malformed bytes. */
export function decodeUtf8(bytes: Uint8Array): string {
  // Most bodies are ASCII, which latin1 decodes fastest.
  return isAscii(bytes) ? decodeLatin1(bytes) : utf8.decode(bytes);
}

/** Decodes UTF-8. Falls back to latin1, one character for each byte, when the bytes are malformed. */
export function decodeBytes(bytes: Uint8Array): string {
  try {
    return decodeUtf8(bytes);
  } catch {
    return decodeLatin1(bytes);
  }
}

function decodeLatin1(bytes: Uint8Array): string {
  const buffer = bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return buffer.toString('latin1');
}

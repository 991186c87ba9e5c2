/** Writes bytes, or a text as UTF-8, in base64url (RFC 4648 section 5). The `Buffer` of pages has no encoding of that name. */
export function toBase64Url(data: string | Uint8Array): string {
  const bytes =
    typeof data === 'string' ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.length);
  return bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Reads a text in base64url, which `base64` of any `Buffer` does too. */
export function fromBase64Url(text: string): string {
  return Buffer.from(text, 'base64').toString();
}

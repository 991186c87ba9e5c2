import { hmacSha256, sha256 } from './sha256.ts';

/** The part of `node:crypto` that the serving part uses: SHA-256 of a text in one piece. */
interface Digest {
  update(data: string | Uint8Array, encoding?: BufferEncoding): Digest;
  digest(): Buffer;
  digest(encoding: BufferEncoding): string;
}

export function createHash(_: 'sha256'): Digest {
  return toDigest(sha256);
}

export function createHmac(_: 'sha256', key: string): Digest {
  return toDigest((bytes) => hmacSha256(Buffer.from(key), bytes));
}

function toDigest(hash: (bytes: Uint8Array) => Uint8Array<ArrayBuffer>): Digest {
  const parts: Uint8Array[] = [];
  function digest(): Buffer;
  function digest(encoding: BufferEncoding): string;
  function digest(encoding?: BufferEncoding): Buffer | string {
    const bytes = Buffer.from(hash(Buffer.concat(parts)));
    return encoding ? bytes.toString(encoding) : bytes;
  }
  const made: Digest = {
    update(data, encoding) {
      parts.push(typeof data === 'string' ? Buffer.from(data, encoding) : data);
      return made;
    },
    digest,
  };
  return made;
}

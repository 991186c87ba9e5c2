import { createHash } from 'node:crypto';
import { readParameters } from '../../wire/codecs/codecs.ts';
import type { MockRequest } from '../../wire/message/message.ts';

/**
 * Hashes everything that makes a request the same: method, path, query, content type and body. The JSON ends where the body begins, so
 * no two requests run into each other.
 */
export function toFingerprint({ method, path, query, headers, body }: MockRequest): string {
  const type = headers['content-type'] ?? '';
  const bytes = body instanceof Uint8Array ? body : NO_BYTES;
  const parts = splitParts(type, bytes);
  const outline = parts
    ? [type.replace(/;.*$/, ''), ...parts.map(({ length }) => length)]
    : [type, bytes.length];
  const hash = createHash('sha256').update(JSON.stringify([method, path, query, ...outline]));
  return (parts ? hash.update(parts.join(''), 'latin1') : hash.update(bytes)).digest('base64');
}

const NO_BYTES = new Uint8Array();

/** Those of RFC 2046 have 70 characters at most. A shorter one would cut a body to pieces. */
const BOUNDARY_LENGTHS = { least: 8, most: 70 };

/** The parts of a form without the boundary, which clients choose anew for each try; `undefined` for any other body. */
function splitParts(type: string, bytes: Uint8Array): string[] | undefined {
  if (!/^multipart\//i.test(type)) return undefined;
  const boundary = readParameters(type).get('boundary') ?? '';
  if (boundary.length < BOUNDARY_LENGTHS.least || boundary.length > BOUNDARY_LENGTHS.most) return undefined;
  return Buffer.from(bytes).toString('latin1').split(boundary);
}

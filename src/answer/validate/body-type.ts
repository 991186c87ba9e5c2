import { Problem } from '../../base/problem.ts';
import type { Operation } from '../../model/operations/operations.ts';
import { MULTIPART, toCharset, toMediaType } from '../../wire/codecs/codecs.ts';
import type { MockRequest } from '../../wire/message/message.ts';

type Headers = MockRequest['headers'];

/** Throws a 415 Problem for a compressed body. */
export function checkCoding(headers: Headers): void {
  const coding = headers['content-encoding'];
  if (coding === undefined || coding.toLowerCase() === 'identity') return;
  throw unsupported(`The content coding "${coding}" is not supported. Send the body uncompressed.`, {
    'Accept-Encoding': 'identity',
  });
}

/** Throws a 415 Problem for a body in a charset other than UTF-8. Each part of a multipart form names its own. */
export function checkCharset(headers: Headers): void {
  const contentType = headers['content-type'];
  const charset = toCharset(contentType);
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8') return;
  if (toMediaType(contentType) === MULTIPART) return;
  throw unsupported(`The charset "${charset}" is not supported. Send the body as UTF-8.`);
}

/** Creates the 415 Problem for a media type that an operation does not take. */
export function unsupportedType(
  { id, method }: Operation,
  sent: string | undefined,
  taken: readonly string[],
): Problem {
  const accepted = taken.join(', ');
  return unsupported(
    `${id} takes no body of type ${sent}. Send one of these as the Content-Type: ${accepted}.`,
    { Accept: accepted, ...(method === 'PATCH' && { 'Accept-Patch': accepted }) },
  );
}

function unsupported(message: string, headers: Readonly<Record<string, string>> = {}): Problem {
  return new Problem(415, 'unsupported_media_type', message, { headers });
}

import { findInexact } from './exact.ts';
import { isCovered, isJson, toCharset, toMediaType } from './media-type.ts';
import type { MockRequest } from './message.ts';
import type { Operation } from './operations.ts';
import { Problem, violationProblem } from './problem.ts';

/** The largest body that is read, in bytes. */
export const BODY_LIMIT: number = 1024 * 1024;

/** A request body that its operation takes. */
export interface ReadBody {
  /** The declared media type that covers it. */
  readonly declared: string;
  /** The parsed value of a JSON body; the text of any other. */
  readonly value: unknown;
}

/**
 * The body of a request, `undefined` where there is none or the operation takes none. Throws a Problem: 413 too large, 415
 * for a type, charset or coding that is not taken, 400 for malformed JSON, 422 for a missing body or one that cannot be
 * kept exactly.
 */
export function readBody(operation: Operation, request: MockRequest): ReadBody | undefined {
  if (request.body === 'too-large') {
    throw new Problem(
      413,
      'body_too_large',
      `The body is larger than ${BODY_LIMIT} bytes, the most that is read.`,
    );
  }
  const declared = (operation.body?.contents ?? []).map(({ mediaType }) => mediaType);
  if (declared.length === 0) return undefined;
  if (request.body === undefined || request.body.length === 0) {
    if (!operation.body?.required) return undefined;
    throw violationProblem(422, 'validation_failed', [{ location: 'body', message: 'is required' }]);
  }
  const mediaType = chooseMediaType(operation, request, declared);
  const text = decode(request.body);
  return { declared: mediaType, value: isJson(toMediaType(mediaType) ?? '') ? parse(text) : text };
}

function chooseMediaType(operation: Operation, request: MockRequest, declared: readonly string[]): string {
  const contentType = request.headers['content-type'];
  const coding = request.headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    throw new Problem(
      415,
      'unsupported_media_type',
      `A body in the coding "${coding}" is not taken: send it plain.`,
      {
        headers: { 'Accept-Encoding': 'identity' },
      },
    );
  }
  const charset = toCharset(contentType);
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw new Problem(
      415,
      'unsupported_media_type',
      `A body in the charset "${charset}" is not taken: send UTF-8.`,
    );
  }
  const sent = toMediaType(contentType);
  // A body without a type is taken for the first declared one: what else could the client mean?
  const chosen = sent === undefined ? declared[0] : declared.find((type) => isCovered(type, sent));
  if (chosen !== undefined) return chosen;
  const accepted = declared.join(', ');
  throw new Problem(
    415,
    'unsupported_media_type',
    `${operation.id} takes no body of type ${sent}. Send one of these as the Content-Type: ${accepted}.`,
    { headers: { Accept: accepted, ...(operation.method === 'PATCH' && { 'Accept-Patch': accepted }) } },
  );
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new Problem(400, 'malformed_json', 'The body is not valid UTF-8.', { cause });
  }
}

function parse(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Problem(400, 'malformed_json', `The body is not valid JSON: ${(cause as Error).message}.`, {
      cause,
    });
  }
  const violation = findInexact(value, 'body');
  if (violation) throw violationProblem(422, 'validation_failed', [violation]);
  return value;
}

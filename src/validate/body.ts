import { isAscii } from 'node:buffer';
import {
  createFormReader,
  isCovered,
  isJson,
  isXml,
  type JsonReading,
  readJson,
  readXml,
  toCharset,
  toMediaType,
} from '../codecs/codecs.ts';
import type { HttpContent } from '../document/document.ts';
import type { MockRequest } from '../message.ts';
import type { Operation } from '../operations/operations.ts';
import { Problem, violationProblem } from '../problem.ts';
import { type Shape, toShape } from '../schema/schema.ts';

/** The largest body that is read, in bytes. */
export const BODY_LIMIT: number = 1024 * 1024;

/** A request body that its operation takes. */
export interface ReadBody {
  /** The declared content that covers it. */
  readonly content: HttpContent;
  /** The parsed value of JSON, a form or XML; the text of anything else. */
  readonly value: unknown;
}

/**
 * The body of a request, `undefined` where there is none or the operation takes none. Throws a Problem: 413 too large, 415
 * for a type, charset or coding that is not taken, 400 for what is malformed, 422 for a missing body, bottomless nesting or a
 * number beyond the range of a double. A promise of it where that takes time.
 */
export type ReadBodyOf = (
  operation: Operation,
  request: MockRequest,
) => ReadBody | undefined | Promise<ReadBody>;

/** Reads the bodies of all operations of a document, whose references resolve in `root`. */
export function createBodyReader(root: unknown): ReadBodyOf {
  const decoders = new WeakMap<HttpContent, Decode>();
  const decoderOf = (content: HttpContent): Decode => {
    const decode = decoders.get(content) ?? buildDecoder(content, toShape(root, content.schema));
    decoders.set(content, decode);
    return decode;
  };
  return (operation, request) => {
    if (request.body === 'too-large') {
      const message = `The body is larger than ${BODY_LIMIT} bytes, the most that is read.`;
      throw new Problem(413, 'body_too_large', message);
    }
    const declared = operation.body?.contents ?? [];
    if (declared.length === 0) return undefined;
    if (request.body === undefined || request.body.length === 0) {
      if (!operation.body?.required) return undefined;
      throw violationProblem(422, 'validation_failed', [{ location: 'body', message: 'is required' }]);
    }
    const content = chooseContent(operation, request, declared);
    const value = decoderOf(content)(request.body, request.headers['content-type'] ?? '');
    return value instanceof Promise ? value.then((late) => ({ content, value: late })) : { content, value };
  };
}

/** The value of a body's bytes, perhaps later. */
type Decode = (bytes: Uint8Array, contentType: string) => unknown;

function buildDecoder({ mediaType, encodings }: HttpContent, shape: Shape): Decode {
  const type = toMediaType(mediaType) ?? '';
  if (isForm(type)) {
    const form = createFormReader(shape, encodings);
    if (type === MULTIPART) return (bytes, contentType) => form.readMultipart(bytes, contentType);
    return (bytes) => form.readEncoded(decodeText(bytes, 'malformed_form'));
  }
  if (isXml(type)) {
    return async (bytes) => {
      const text = decodeText(bytes, 'malformed_xml');
      return readXml(text, shape);
    };
  }
  const decodeJson: Decode = (bytes) => parse(decodeText(bytes, 'malformed_json'), shape);
  if (isJson(type)) return decodeJson;
  if (type.startsWith('text/')) return (bytes) => decodeText(bytes, 'malformed_text');
  // A range covers JSON as well as anything else.
  return (bytes, contentType) =>
    isJson(toMediaType(contentType) ?? '') ? decodeJson(bytes, contentType) : toText(bytes);
}

const MULTIPART = 'multipart/form-data';

function isForm(type: string): boolean {
  return type === MULTIPART || type === 'application/x-www-form-urlencoded';
}

function chooseContent(
  operation: Operation,
  request: MockRequest,
  declared: readonly HttpContent[],
): HttpContent {
  const contentType = request.headers['content-type'];
  const [first] = declared;
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
  // What most programs send: the very type that is declared, without parameters.
  if (first && first.mediaType === contentType && !contentType.includes(';')) return first;
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
  const chosen = sent === undefined ? first : declared.find(({ mediaType }) => isCovered(mediaType, sent));
  if (chosen !== undefined) return chosen;
  const accepted = declared.map(({ mediaType }) => mediaType).join(', ');
  throw new Problem(
    415,
    'unsupported_media_type',
    `${operation.id} takes no body of type ${sent}. Send one of these as the Content-Type: ${accepted}.`,
    { headers: { Accept: accepted, ...(operation.method === 'PATCH' && { 'Accept-Patch': accepted }) } },
  );
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeText(bytes: Uint8Array, code: string): string {
  // What most bodies are, and the quickest to read.
  if (isAscii(bytes)) return toBuffer(bytes).toString('latin1');
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new Problem(400, code, 'The body is not valid UTF-8.', { cause });
  }
}

function toBuffer(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** What is no text has a character for each byte. */
function toText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
}

function parse(text: string, shape: Shape): unknown {
  const reading = readBody(text, shape);
  if ('value' in reading) return reading.value;
  throw violationProblem(422, 'validation_failed', [reading.violation]);
}

function readBody(text: string, shape: Shape): JsonReading {
  try {
    return readJson(text, shape, 'body');
  } catch (cause) {
    const message = `The body is not valid JSON: ${(cause as Error).message}.`;
    throw new Problem(400, 'malformed_json', message, { cause });
  }
}

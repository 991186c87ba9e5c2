import {
  createFormReader,
  decodeBytes,
  decodeUtf8,
  isCovered,
  isJson,
  isXml,
  type JsonReading,
  readJson,
  readXml,
  toCharset,
  toMediaType,
} from '../codecs/codecs.ts';
import type { MockRequest } from '../message/message.ts';
import type { DeclaredContent, Operation } from '../operations/operations.ts';
import { Problem, violationProblem } from '../problem.ts';
import { type Shape, toShape } from '../schema/schema.ts';

/** The largest body that is read, in bytes. */
export const BODY_LIMIT: number = 1024 * 1024;

/** A request body in a declared content. */
export interface ReadBody {
  readonly content: DeclaredContent;
  /** The parsed value of JSON, a form or XML; the text of anything else. */
  readonly value: unknown;
}

/**
 * Reads the body of a request; `undefined` if it is absent or the operation declares none. Asynchronous for XML and multipart
 * forms. Throws a Problem: 413 for a large body, 415 for an unsupported type, charset or coding, 400 for a malformed body, 422
 * for a missing body, too deep nesting or a number beyond the range of a double.
 */
type ReadBodyOf = (operation: Operation, request: MockRequest) => ReadBody | undefined | Promise<ReadBody>;

/** Reads the bodies of all operations of a document. */
export function createBodyReader(): ReadBodyOf {
  const decoders = new WeakMap<DeclaredContent, Decode>();
  const decoderOf = (content: DeclaredContent): Decode => {
    const decode = decoders.get(content) ?? buildDecoder(content, toShape(content.schema));
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
    const content = chooseBodyContent(operation, request, declared);
    const value = decoderOf(content)(request.body, request.headers['content-type'] ?? '');
    return value instanceof Promise ? value.then((late) => ({ content, value: late })) : { content, value };
  };
}

/** The value of a body's bytes, or a promise of it. */
type Decode = (bytes: Uint8Array, contentType: string) => unknown;

function buildDecoder({ mediaType, encodings }: DeclaredContent, shape: Shape): Decode {
  const type = toMediaType(mediaType) ?? '';
  if (isForm(type)) {
    const form = createFormReader(shape, encodings);
    if (type === MULTIPART) return (bytes, contentType) => form.readMultipart(bytes, contentType);
    return (bytes) => form.readEncoded(decodeText(bytes, 'malformed_form'));
  }
  if (isXml(type)) {
    return async (bytes) => readXml(decodeText(bytes, 'malformed_xml'), shape);
  }
  const decodeJson: Decode = (bytes) => parse(decodeText(bytes, 'malformed_json'), shape);
  if (isJson(type)) return decodeJson;
  if (type.startsWith('text/')) return (bytes) => decodeText(bytes, 'malformed_text');
  // A range covers JSON as well as anything else.
  return (bytes, contentType) =>
    isJson(toMediaType(contentType) ?? '') ? decodeJson(bytes, contentType) : decodeBytes(bytes);
}

const MULTIPART = 'multipart/form-data';

function isForm(type: string): boolean {
  return type === MULTIPART || type === 'application/x-www-form-urlencoded';
}

function chooseBodyContent(
  operation: Operation,
  request: MockRequest,
  declared: readonly DeclaredContent[],
): DeclaredContent {
  const contentType = request.headers['content-type'];
  const [first] = declared;
  const coding = request.headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    throw unsupported(`The content coding "${coding}" is not supported. Send the body uncompressed.`, {
      'Accept-Encoding': 'identity',
    });
  }
  // Most programs send exactly the declared type, without parameters.
  if (first && first.mediaType === contentType && !contentType.includes(';')) return first;
  const charset = toCharset(contentType);
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw unsupported(`The charset "${charset}" is not supported. Send the body as UTF-8.`);
  }
  const sent = toMediaType(contentType);
  // A body without a type can only be meant as the first declared one.
  const chosen = sent === undefined ? first : declared.find(({ mediaType }) => isCovered(mediaType, sent));
  if (chosen !== undefined) return chosen;
  const accepted = declared.map(({ mediaType }) => mediaType).join(', ');
  throw unsupported(
    `${operation.id} takes no body of type ${sent}. Send one of these as the Content-Type: ${accepted}.`,
    { Accept: accepted, ...(operation.method === 'PATCH' && { 'Accept-Patch': accepted }) },
  );
}

function unsupported(message: string, headers: Readonly<Record<string, string>> = {}): Problem {
  return new Problem(415, 'unsupported_media_type', message, { headers });
}

function decodeText(bytes: Uint8Array, code: string): string {
  try {
    return decodeUtf8(bytes);
  } catch (cause) {
    throw new Problem(400, code, 'The body is not valid UTF-8.', { cause });
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

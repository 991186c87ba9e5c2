import { LIMITS } from '../../base/limits.ts';
import { Problem, violationProblem } from '../../base/problem.ts';
import type { DeclaredContent, Operation } from '../../model/operations/operations.ts';
import { type SchemaNode, toShape } from '../../schema/schema.ts';
import { isCovered, isForm, toMediaType } from '../../wire/codecs/codecs.ts';
import type { MockRequest } from '../../wire/message/message.ts';
import { checkCharset, checkCoding, unsupportedType } from './body-type.ts';
import { buildDecoder, type Decode } from './decode-body.ts';
import { createUndeclaredDecoders, type EntitySchemaOf } from './undeclared-body.ts';

/** The largest body that is read, in bytes. */
export const BODY_LIMIT: number = LIMITS.body.value;

/** A request body. */
export interface ReadBody {
  /** The schema that its value must hold to. */
  readonly schema: SchemaNode | undefined;
  /** The parsed value of JSON, a form or XML; the text of anything else. */
  readonly value: unknown;
}

/**
 * Reads the body of a request; `undefined` if it is absent or the operation takes none. Asynchronous for XML.
 * Throws a Problem: 413 for a large body, 415 for an unsupported type, charset or coding, 400 for a malformed body, 422
 * for a missing body, too deep nesting or a number beyond the range of a double.
 */
type ReadBodyOf = (operation: Operation, request: MockRequest) => ReadBody | undefined | Promise<ReadBody>;

/** Creates the reader of all bodies. Operations that create or change an entity take a body even if they declare none. */
export function createBodyReader(entityOf: EntitySchemaOf): ReadBodyOf {
  const decoders = new WeakMap<DeclaredContent, Decode>();
  const decoderOf = (content: DeclaredContent): Decode => {
    const decode = decoders.get(content) ?? buildDecoder(content, toShape(content.schema));
    decoders.set(content, decode);
    return decode;
  };
  const findUndeclared = createUndeclaredDecoders(entityOf);
  return (operation, request) => {
    const bytes = bytesOf(request);
    const { headers } = request;
    const declared = operation.body?.contents ?? [];
    const isEmpty = bytes.length === 0;
    const content = isEmpty ? findForm(headers, declared) : chooseBodyContent(operation, headers, declared);
    if (isEmpty && !content) return refuseMissing(operation);
    const decode = content ? decoderOf(content) : findUndeclared(operation, headers);
    if (!decode) return ignoreBody(operation);
    const schema = content?.schema;
    const value = decode(bytes, headers['content-type'] ?? '');
    return value instanceof Promise ? value.then((late) => ({ schema, value: late })) : { schema, value };
  };
}

/** Ignores a body that an operation does not take. Throws a 415 Problem where the document declares that answer. */
function ignoreBody({ id, body, codes }: Operation): undefined {
  if (body || !codes.includes('415')) return undefined;
  throw new Problem(415, 'unsupported_media_type', `${id} takes no body. Send none.`);
}

/** Returns the bytes of a body; a missing body has none. Throws a 413 Problem for too many. */
function bytesOf({ body }: MockRequest): Uint8Array {
  if (body === 'too-large') {
    const message = `The body is larger than ${BODY_LIMIT} bytes, the most that is read. Send a smaller one.`;
    throw new Problem(413, 'body_too_large', message);
  }
  return body ?? NO_BYTES;
}

const NO_BYTES: Uint8Array = new Uint8Array();

/** Throws a 422 Problem for a missing body that is required. */
function refuseMissing({ body }: Operation): undefined {
  if (!body?.required || body.contents.length === 0) return undefined;
  throw violationProblem(422, 'validation_failed', [
    { location: 'body', message: 'is required', code: 'required' },
  ]);
}

/** Finds the declared form for an empty body, which is a form without fields. Any other empty body counts as missing. */
function findForm(
  headers: MockRequest['headers'],
  declared: readonly DeclaredContent[],
): DeclaredContent | undefined {
  const sent = toMediaType(headers['content-type']);
  return sent !== undefined && isForm(sent)
    ? declared.find(({ mediaType }) => toMediaType(mediaType) === sent)
    : undefined;
}

/** Chooses the declared content of a body; `undefined` if none is declared. Throws a 415 Problem for another type. */
function chooseBodyContent(
  operation: Operation,
  headers: MockRequest['headers'],
  declared: readonly DeclaredContent[],
): DeclaredContent | undefined {
  const contentType = headers['content-type'];
  const [first] = declared;
  if (!first) return undefined;
  checkCoding(headers);
  // Most programs send exactly the declared type, without parameters.
  if (first.mediaType === contentType && !contentType.includes(';')) return first;
  checkCharset(headers);
  const sent = toMediaType(contentType);
  // A body without a type can only be meant as the first declared one.
  const chosen = sent === undefined ? first : declared.find(({ mediaType }) => isCovered(mediaType, sent));
  if (chosen !== undefined) return chosen;
  throw unsupportedType(
    operation,
    sent,
    declared.map(({ mediaType }) => mediaType),
  );
}

import type { Operation } from '../../model/operations/operations.ts';
import { type SchemaNode, toShape } from '../../schema/schema.ts';
import { isJson, MULTIPART, toMediaType, URL_ENCODED } from '../../wire/codecs/codecs.ts';
import type { MockRequest } from '../../wire/message/message.ts';
import { checkCharset, checkCoding, unsupportedType } from './body-type.ts';
import { buildDecoder, type Decode } from './decode-body.ts';

/** The schema of the entity that an operation creates or changes; `undefined` for any other operation. */
export type EntitySchemaOf = (operation: Operation) => SchemaNode | undefined;

/**
 * Finds the decoder of a body that the document does not declare; `undefined` if such a body has no members. Frameworks without types for
 * bodies leave them out of the document, even where an operation takes one. Throws a 415 Problem for a text, which is mostly JSON without
 * its Content-Type.
 */
export function createUndeclaredDecoders(
  entityOf: EntitySchemaOf,
): (operation: Operation, headers: MockRequest['headers']) => Decode | undefined {
  const known = new WeakMap<SchemaNode, ReadonlyMap<string, Decode>>();
  return (operation, headers) => {
    const schema = METHODS_WITH_BODY.has(operation.method) ? entityOf(operation) : undefined;
    if (!schema) return undefined;
    const sent = toMediaType(headers['content-type']) ?? JSON_TYPE;
    const type = isJson(sent) ? JSON_TYPE : sent;
    if (!READABLE_TYPES.includes(type)) {
      if (type.startsWith('text/')) throw unsupportedType(operation, sent, READABLE_TYPES);
      // A file has no members.
      return undefined;
    }
    checkCoding(headers);
    checkCharset(headers);
    const decoders = known.get(schema) ?? buildDecoders(schema);
    known.set(schema, decoders);
    return decoders.get(type);
  };
}

const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);
const JSON_TYPE = 'application/json';
const READABLE_TYPES: readonly string[] = [JSON_TYPE, URL_ENCODED, MULTIPART];

/** Builds decoders that read a form by the schema of its entity, of which a body may have any part. */
function buildDecoders(schema: SchemaNode): ReadonlyMap<string, Decode> {
  const shape = toShape(schema);
  return new Map(
    READABLE_TYPES.map((mediaType) => [mediaType, buildDecoder({ mediaType, encodings: [] }, shape, false)]),
  );
}

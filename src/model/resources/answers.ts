import type { SchemaNode } from '../../schema/schema.ts';
import { isJson, toActualType, toMediaType } from '../../wire/codecs/codecs.ts';
import { findCode, type Operation, type OutlineContent } from '../operations/operations.ts';
import { findListShape, isObjectSchema, isOpenSchema } from './shapes.ts';

/** The media types besides JSON that carry objects. */
const STRUCTURED = /[/+](xml|csv|x-www-form-urlencoded|form-data)$/;

/** The schema of an operation's answer, of the successful one unless `status` is given. */
export function answerSchema(
  operation: Operation | undefined,
  status: number | undefined = operation?.successStatus,
): SchemaNode | undefined {
  if (!operation || status === undefined) return undefined;
  const code = findCode(operation, status);
  return code === undefined ? undefined : schemaOf(operation.outline.answerContents(code));
}

/** The schema of an operation's body, preferably of its JSON. */
export function bodySchema(operation: Operation | undefined): SchemaNode | undefined {
  return schemaOf(operation?.outline.bodyContents() ?? []);
}

/**
 * Whether the document does not describe the members of a body: it declares no body, or one with a missing or empty schema. Frameworks
 * without types for bodies write such documents.
 */
export function isOpenBody({ outline }: Operation): boolean {
  const contents = outline.bodyContents();
  if (contents.length === 0) return true;
  const content = findStructured(contents);
  return content !== undefined && (content.schema === undefined || isOpenSchema(content.schema));
}

function schemaOf(contents: readonly OutlineContent[]): SchemaNode | undefined {
  return findStructured(contents)?.schema;
}

/** The content that carries objects, preferably JSON. */
function findStructured(contents: readonly OutlineContent[]): OutlineContent | undefined {
  const ofType = (fits: (type: string) => boolean) =>
    contents.find(({ mediaType }) => fits(toMediaType(toActualType(mediaType)) ?? ''));
  return ofType(isJson) ?? ofType((type) => STRUCTURED.test(type));
}

/** Whether an operation answers with a list. */
export function answersWithList(operation: Operation): boolean {
  return findListShape(answerSchema(operation), []) !== undefined;
}

/**
 * Whether the document leaves the body of an answer open, as frameworks without answer types do: no content at all, or
 * JSON of any kind.
 */
export function isOpenAnswer(operation: Operation, status: number = operation.successStatus): boolean {
  if (BODILESS.has(status)) return false;
  const code = findCode(operation, status);
  const contents = code === undefined ? [] : operation.outline.answerContents(code);
  if (contents.length === 0) return true;
  const json = contents.find(({ mediaType }) => isJson(toMediaType(toActualType(mediaType)) ?? ''));
  return json !== undefined && (json.schema === undefined || isOpenSchema(json.schema));
}

/** Whether an operation may answer with one object. */
export function answersObject(operation: Operation): boolean {
  const schema = answerSchema(operation);
  return isOpenAnswer(operation) || (schema !== undefined && isObjectSchema(schema));
}

/** Whether an operation may answer with a list. */
export function isListOrOpen(operation: Operation): boolean {
  return answersWithList(operation) || isOpenAnswer(operation);
}

const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

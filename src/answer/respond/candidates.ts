import { Problem } from '../../base/problem.ts';
import type { HttpExample } from '../../document/document.ts';
import type { DeclaredContent, DeclaredResponse, Operation } from '../../model/operations/operations.ts';
import type { SchemaNode } from '../../schema/schema.ts';
import {
  isBinary,
  isFileSchema,
  isJson,
  SAMPLE_BYTES,
  toActualType,
  toActualTypes,
  toFileExample,
  toMediaType,
  toSampleFile,
} from '../../wire/codecs/codecs.ts';
import type { ErrorShapes, Occurrence } from '../errors/errors.ts';
import { toCode } from '../faults/faults.ts';
import { type Echoes, withEchoes } from './echo.ts';
import type { Preferences } from './prefer.ts';

/** The parts of a service that examples come from. */
export interface ExampleSources {
  readonly errors: ErrorShapes;
  /** Generates a value for a schema, the same for the same name; `undefined` if it finds none. */
  readonly generate: (schema: SchemaNode, name: string, options?: { readonly examples?: boolean }) => unknown;
  /** Replaces made-up entities in a generated value by those that other operations show. */
  readonly showEntities: (
    question: { readonly schema: SchemaNode; readonly echoes: Echoes; readonly name: string },
    value: unknown,
  ) => unknown;
  /** Whether an answer may hold a value. */
  readonly isValid: (schema: SchemaNode, value: unknown) => boolean;
}

/** A question with its status. */
export interface StatusQuestion {
  readonly operation: Operation;
  readonly preferences: Preferences;
  /** The values of the path, as text. */
  readonly path: Readonly<Record<string, string>>;
  /** The values of the query that the answer may repeat. */
  readonly query: Echoes;
  readonly status: number;
  readonly occurrence: Occurrence;
}

/** An example to answer with: a declared one, or a generated one where the document has none. */
export interface Candidate extends HttpExample {
  readonly generated?: boolean;
}

/** A content with the examples to choose from, the best ones first. */
export interface CandidateContent extends DeclaredContent {
  readonly examples: readonly Candidate[];
}

/** Whether a response can be answered without generating anything. */
export function hasExamples(
  parts: ExampleSources,
  asked: StatusQuestion,
  response: DeclaredResponse,
): boolean {
  return response.contents.every(
    (content) =>
      !content.schema ||
      goodExamples(parts, asked, response, content).length > 0 ||
      toSample(content) !== undefined ||
      toErrorValue(parts, content, asked) !== undefined,
  );
}

/** Lists the contents of a response with their examples in order of preference. Generates one where none fits. */
export function withExamples(
  parts: ExampleSources,
  asked: StatusQuestion,
  response: DeclaredResponse,
): CandidateContent[] {
  return response.contents.flatMap(splitContent).map((content) => {
    const named = content.examples;
    const good = goodExamples(parts, asked, response, content);
    if (good.length > 0) return { ...content, examples: [...good, ...named] };
    const value = toSample(content) ?? toErrorValue(parts, content, asked) ?? generate(parts, asked, content);
    const generated = value === undefined ? [] : [{ key: 'generated', value, generated: true }];
    return { ...content, examples: [...generated, ...named] };
  });
}

/** A content in each of its actual types. An example is in one of them. */
function splitContent(content: DeclaredContent): DeclaredContent[] {
  const types = toActualTypes(content.mediaType);
  if (content.examples.length === 0) return types.map((mediaType) => ({ ...content, mediaType }));
  const mediaType = types[0] ?? content.mediaType;
  const examples = content.examples.map((example) => ({
    ...example,
    value: toFileExample({ ...content, mediaType }, example.value),
  }));
  return [{ ...content, mediaType, examples }];
}

/** A file for a content that has one; `undefined` for text, and for objects and lists, which are written as they are. */
function toSample({ mediaType, schema }: DeclaredContent): unknown {
  const type = toActualTypes(mediaType)[0] ?? mediaType;
  if (schema?.types.some((each) => each === 'object' || each === 'array')) return undefined;
  const [own] = (schema?.keywords.examples ?? []) as readonly unknown[];
  if (own !== undefined) return isBinary(type) ? toFileExample({ mediaType: type, schema }, own) : undefined;
  if (schema && toMediaType(type) === 'text/event-stream') return undefined;
  return (
    toSampleFile(type) ?? (isBinary(type) && schema && isFileSchema(schema) ? SAMPLE_BYTES() : undefined)
  );
}

/** The examples to answer with, unless a generated answer is asked for. */
function goodExamples(
  parts: ExampleSources,
  { status, preferences }: StatusQuestion,
  { code }: DeclaredResponse,
  content: DeclaredContent,
): readonly HttpExample[] {
  // An example of a range or of the default response may show another status, so serve it only by name.
  const fits = code === String(status) || status < 400;
  if (!fits || preferences.dynamic) return [];
  const mediaType = toActualType(content.mediaType);
  // Serve an example that breaks its own schema only by name.
  return content.examples.filter(({ value }) => isAnswerable(parts, { ...content, mediaType }, value));
}

/** Whether an example is valid. Text in another format, such as XML, and examples of an invalid schema are not checked. */
function isAnswerable(
  { isValid }: ExampleSources,
  { schema, mediaType }: DeclaredContent,
  value: unknown,
): boolean {
  if (!schema || !isJson(toMediaType(mediaType) ?? '')) return true;
  try {
    return isValid(schema, value);
  } catch {
    return true;
  }
}

function generate(
  parts: ExampleSources,
  { operation, preferences, path, query, status }: StatusQuestion,
  { schema, mediaType }: DeclaredContent,
): unknown {
  // JSON content always has a value, even without a schema.
  if (!schema) return isJson(toMediaType(mediaType) ?? '') ? {} : undefined;
  const { dynamic, seed } = preferences;
  const named = [operation.label, status, mediaType, ...Object.values(path), ...Object.values(query), seed];
  const name = named.filter((each) => each !== undefined).join(' ');
  const echoes = { ...query, ...path };
  const isValid = (changed: unknown) => parts.isValid(schema, changed);
  const value = parts.generate(schema, name, { examples: !dynamic });
  // Other preferences lead to other values.
  const isUsual = status < 400 && !dynamic && seed === undefined;
  const shown = isUsual ? parts.showEntities({ schema, echoes, name }, value) : value;
  return withEchoes(shown === value || isValid(shown) ? shown : value, echoes, isValid);
}

/** The error that a request asks for by its status; `undefined` for a success. */
function toErrorValue(
  { errors }: ExampleSources,
  { schema }: DeclaredContent,
  { status, preferences, occurrence }: StatusQuestion,
): unknown {
  if (!schema || status < 400 || preferences.dynamic) return undefined;
  const message = `The request asks for this answer: code=${status}.`;
  return errors.fill(schema, new Problem(status, toCode(status), message), occurrence);
}

import type { Cache } from '../cache.ts';
import {
  type Format,
  isJson,
  isXml,
  negotiateMediaType,
  toActualType,
  toFormat,
  toMediaType,
} from '../codecs/codecs.ts';
import type { Document, HttpContent, HttpExample, HttpResponse } from '../document/document.ts';
import type { ErrorShapes, Occurrence } from '../errors/errors.ts';
import { toCode } from '../faults/faults.ts';
import { sampleValue } from '../generate/generate.ts';
import {
  BODILESS_STATUSES,
  type MockRequest,
  type MockResponse,
  sizeOfResponse,
  withContent,
} from '../message/message.ts';
import type { DeclaredHeaders } from '../operations/operations.ts';
import { examplesOf, findResponse, type Operation } from '../operations/operations.ts';
import { Problem } from '../problem.ts';
import type { Schema } from '../schema/schema.ts';
import { notAcceptable } from './not-acceptable.ts';
import type { Preferences } from './prefer.ts';

/** An answer from the document, and the source of its body. */
export interface Negotiated {
  readonly response: MockResponse;
  readonly source: 'example' | 'generated';
}

/**
 * Answers from the document alone: a declared example, else a value generated from the schema. Throws a Problem, or returns a
 * promise that rejects with one. `cache` and `now` belong to the session; `now` is in milliseconds since the epoch.
 */
export type Negotiate = (
  question: DocumentQuestion,
  cache: Cache<Negotiated>,
  now: number,
) => Negotiated | Promise<Negotiated>;

/** A request that the document answers. */
interface DocumentQuestion {
  readonly operation: Operation;
  readonly preferences: Preferences;
  readonly request: MockRequest;
}

interface NegotiateParts {
  readonly document: Document;
  readonly errors: ErrorShapes;
  readonly headers: DeclaredHeaders;
  /** Generates a value for a schema, the same for the same name; `undefined` if it finds none. */
  readonly generate: (schema: Schema, name: string, options?: { readonly examples?: boolean }) => unknown;
  /** Whether an answer may hold a value. */
  readonly isValid: (schema: Schema, value: unknown) => boolean;
}

/** Builds a function that answers from a document. The same question gets the same answer while the cache has it. */
export function buildNegotiate(parts: NegotiateParts): Negotiate {
  return (question, cache, now) => {
    const { operation, preferences, request } = question;
    const { accept = '' } = request.headers;
    // An error may quote the path of the request.
    const path = Number(preferences.code) >= 400 ? request.path : '';
    const key = JSON.stringify([operation.label, preferences, accept, path]);
    const known = cache.get(key);
    if (known) return known;
    const keep = (negotiated: Negotiated) => {
      cache.set(key, negotiated, key.length + sizeOfResponse(negotiated.response));
      return negotiated;
    };
    const negotiated = answerFromDocument(parts, question, now);
    return negotiated instanceof Promise ? negotiated.then(keep) : keep(negotiated);
  };
}

function answerFromDocument(
  parts: NegotiateParts,
  { operation, preferences, request }: DocumentQuestion,
  now: number,
): Negotiated | Promise<Negotiated> {
  const { path, headers } = request;
  const status = preferences.code ?? toOwnStatus(operation);
  const declared = findResponse(operation, status);
  // The document declares errors alone, so a success has no content.
  if (!declared && preferences.code === undefined) return toEmpty(status, {});
  if (!declared || !covers(operation, declared, status)) throw notDeclared(operation, status);
  const asked = { operation, preferences, status, occurrence: { path, now } };
  const contents = withExamples(parts, asked, declared);
  const { accept } = headers;
  const types = contents.map(({ mediaType }) => mediaType);
  const chosen =
    negotiateMediaType(accept, typesWithExample(contents, preferences)) ?? negotiateMediaType(accept, types);
  if (chosen === undefined && types.length > 0) throw notAcceptable(operation, accept, types);
  const fixed = parts.headers.ofExample(operation, status);
  const content = contents.find(({ mediaType }) => mediaType === chosen);
  if (!content || BODILESS_STATUSES.has(status)) return toEmpty(status, fixed);
  const write = ({ value, generated }: Candidate): Negotiated => {
    if (value === undefined) return toEmpty(status, fixed);
    const text = writeExample(value, toFormat(parts.document.root, content));
    const response = withContent(status, fixed, content.mediaType, text);
    return { response, source: generated ? 'generated' : 'example' };
  };
  const example = pickExample(asked, content);
  if (example) return write(example);
  if (!content.schema) return toEmpty(status, fixed);
  return sampleValue(content.schema, parts.document.root).then((value) =>
    write({ key: '', value, generated: true }),
  );
}

function toEmpty(status: number, headers: MockResponse['headers']): Negotiated {
  return { response: { status, headers }, source: 'example' };
}

/** An example to answer with: a declared one, or a generated one where the document has none. */
interface Candidate extends HttpExample {
  readonly generated?: boolean;
}

interface CandidateContent extends HttpContent {
  readonly examples: readonly Candidate[];
}

/** Picks the requested example, else the first one. Throws a 404 Problem for an unknown name. */
function pickExample(
  { operation, preferences, status }: StatusQuestion,
  { examples, mediaType }: CandidateContent,
): Candidate | undefined {
  const { example: wanted } = preferences;
  if (!wanted) return examples[0];
  const example = examples.find(({ key }) => key === wanted);
  if (!example) throw exampleNotFound(operation, `${wanted}" for ${status} as ${mediaType}`, examples);
  return example;
}

/** Writes an example. One for XML may be the text itself. */
function writeExample(value: unknown, format: Format | undefined): string {
  const asIs =
    typeof value === 'string' &&
    (!format || (isXml(toMediaType(format.mediaType) ?? '') && value.trimStart().startsWith('<')));
  return asIs ? value : (format?.write(value) ?? JSON.stringify(value));
}

/** The media types that have the requested example. */
function typesWithExample(contents: readonly CandidateContent[], { example }: Preferences): string[] {
  return contents
    .filter(({ examples }) => examples.some(({ key }) => key === example))
    .map(({ mediaType }) => mediaType);
}

/** The success status, or a redirect if the document declares that instead. */
function toOwnStatus(operation: Operation): number {
  if (findResponse(operation, operation.successStatus)) return operation.successStatus;
  const redirect = operation.responses.find(({ code }) => /^3/.test(code));
  return redirect ? Number(redirect.code.replace(/xx$/i, '02')) : operation.successStatus;
}

/** Whether a response describes a status. If an operation declares a success, its default response describes errors. */
function covers(operation: Operation, { code }: HttpResponse, status: number): boolean {
  return (
    code !== 'default' || status >= 400 || !operation.responses.some((other) => other.code.startsWith('2'))
  );
}

/** Lists the contents of a response with their examples in order of preference. Generates one where none fits. */
function withExamples(
  parts: NegotiateParts,
  asked: StatusQuestion,
  response: HttpResponse,
): CandidateContent[] {
  const { status } = asked;
  const { dynamic } = asked.preferences;
  // An example of a range or of the default response may show another status, so serve it only by name.
  const fits = response.code === String(status) || status < 400;
  return (response.contents ?? []).map((each) => {
    const content = { ...each, mediaType: toActualType(each.mediaType) };
    const named = examplesOf(parts.document.root, content);
    // Serve an example that breaks its own schema only by name.
    const good = named.filter(({ value }) => isAnswerable(parts, content, value));
    if (good.length > 0 && fits && !dynamic) return { ...content, examples: [...good, ...named] };
    const error = status >= 400 && !dynamic ? toErrorValue(parts, content, asked) : undefined;
    const value = error ?? generate(parts, asked, content);
    const generated = value === undefined ? [] : [{ key: 'generated', value, generated: true }];
    return { ...content, examples: [...generated, ...named] };
  });
}

/** Whether an example is valid. Text in another format, such as XML, and examples of an invalid schema are not checked. */
function isAnswerable(
  { isValid }: NegotiateParts,
  { schema, mediaType }: HttpContent,
  value: unknown,
): boolean {
  if (!schema || !isJson(toMediaType(mediaType) ?? '')) return true;
  try {
    return isValid(schema, value);
  } catch {
    return true;
  }
}

/** A question with its status. */
interface StatusQuestion {
  readonly operation: Operation;
  readonly preferences: Preferences;
  readonly status: number;
  readonly occurrence: Occurrence;
}

function generate(
  parts: NegotiateParts,
  { operation, preferences, status }: StatusQuestion,
  { schema, mediaType }: HttpContent,
): unknown {
  // JSON content always has a value, even without a schema.
  if (!schema) return isJson(toMediaType(mediaType) ?? '') ? {} : undefined;
  const { dynamic, seed } = preferences;
  const name = `${operation.label} ${status} ${mediaType}${seed === undefined ? '' : ` ${seed}`}`;
  return parts.generate(schema, name, { examples: !dynamic });
}

function toErrorValue(
  { errors }: NegotiateParts,
  { schema }: HttpContent,
  { status, occurrence }: StatusQuestion,
): unknown {
  const message = `The request asks for this answer: code=${status}.`;
  return schema && errors.fill(schema, new Problem(status, toCode(status), message), occurrence);
}

function notDeclared(operation: Operation, status: number): Problem {
  const codes = operation.responses.map(({ code }) => code).join(', ');
  return new Problem(
    404,
    'response_not_declared',
    `The document declares no ${status} answer for ${operation.id}, which "Prefer: code=${status}" asks for. It has: ${codes}.`,
  );
}

function exampleNotFound(operation: Operation, wanted: string, examples: readonly HttpExample[]): Problem {
  const known = [...new Set(examples.map(({ key }) => key))].join(', ') || 'none';
  const message = `${operation.id} has no example "${wanted}. It has: ${known}.`;
  return new Problem(404, 'example_not_found', message);
}

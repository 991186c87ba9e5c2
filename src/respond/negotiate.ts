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
import { type MockRequest, type MockResponse, sizeOfResponse, withContent } from '../message.ts';
import type { DeclaredHeaders } from '../operations/operations.ts';
import { examplesOf, findResponse, type Operation } from '../operations/operations.ts';
import { Problem } from '../problem.ts';
import type { Schema } from '../schema/schema.ts';
import { notAcceptable } from './not-acceptable.ts';
import type { Preferences } from './prefer.ts';

/** An answer out of the document, and where its body came from. */
export interface Negotiated {
  readonly response: MockResponse;
  readonly source: 'example' | 'generated';
}

/**
 * Answers from the document alone: a declared example, else a value generated from the schema. Throws a Problem, or returns a
 * promise that rejects with one. `cache` and `now` belong to the session; `now` is in milliseconds since the epoch.
 */
export type Negotiate = (
  question: Question,
  cache: Cache<Negotiated>,
  now: number,
) => Negotiated | Promise<Negotiated>;

/** What a request asks of the document. */
export interface Question {
  readonly operation: Operation;
  readonly preferences: Preferences;
  readonly request: MockRequest;
}

export interface NegotiateParts {
  readonly document: Document;
  readonly errors: ErrorShapes;
  readonly headers: DeclaredHeaders;
  /** A value for a schema, the same for the same name; `undefined` if none is found. */
  readonly generate: (schema: Schema, name: string, options?: { readonly examples?: boolean }) => unknown;
  /** Whether an answer may hold a value. */
  readonly isValid: (schema: Schema, value: unknown) => boolean;
}

/** Builds what answers from a document. The same question gets the same answer for as long as the cache has it. */
export function buildNegotiate(parts: NegotiateParts): Negotiate {
  return (question, cache, now) => {
    const { operation, preferences, request } = question;
    const { accept = '' } = request.headers;
    // An error may name the path that was asked for.
    const path = Number(preferences.code) >= 400 ? request.path : '';
    const key = JSON.stringify([operation.label, preferences, accept, path]);
    const known = cache.get(key);
    if (known) return known;
    const keep = (negotiated: Negotiated) => {
      cache.set(key, negotiated, key.length + sizeOfResponse(negotiated.response));
      return negotiated;
    };
    const negotiated = negotiate(parts, question, now);
    return negotiated instanceof Promise ? negotiated.then(keep) : keep(negotiated);
  };
}

/** Statuses that HTTP allows no content, whatever a document says. */
const BODILESS = new Set([204, 205, 304]);

function negotiate(
  parts: NegotiateParts,
  { operation, preferences, request }: Question,
  now: number,
): Negotiated | Promise<Negotiated> {
  const { path, headers } = request;
  const status = preferences.code ?? toOwnStatus(operation);
  const declared = findResponse(operation, status);
  // The document speaks of errors alone: it does not say what success looks like, so the answer has no content.
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
  if (!content || BODILESS.has(status)) return toEmpty(status, fixed);
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

/** An example that may be shown: a declared one, or one that was generated where the document has none. */
interface Candidate extends HttpExample {
  readonly generated?: boolean;
}

interface CandidateContent extends HttpContent {
  readonly examples: readonly Candidate[];
}

/** The example that is asked for by name, else the first one. Throws a 404 Problem for an unknown name. */
function pickExample(
  { operation, preferences, status }: Asked,
  { examples, mediaType }: CandidateContent,
): Candidate | undefined {
  const { example: wanted } = preferences;
  if (!wanted) return examples[0];
  const example = examples.find(({ key }) => key === wanted);
  if (!example) throw exampleNotFound(operation, `${wanted}" for ${status} as ${mediaType}`, examples);
  return example;
}

/** An example of XML may be the text itself. */
function writeExample(value: unknown, format: Format | undefined): string {
  const asIs =
    typeof value === 'string' &&
    (!format || (isXml(toMediaType(format.mediaType) ?? '') && value.trimStart().startsWith('<')));
  return asIs ? value : (format?.write(value) ?? JSON.stringify(value));
}

/** The media types that have the example that is asked for by name; some of them only may have it. */
function typesWithExample(contents: readonly CandidateContent[], { example }: Preferences): string[] {
  return contents
    .filter(({ examples }) => examples.some(({ key }) => key === example))
    .map(({ mediaType }) => mediaType);
}

/** The success status, or where the document only declares where to go instead, that. */
function toOwnStatus(operation: Operation): number {
  if (findResponse(operation, operation.successStatus)) return operation.successStatus;
  const redirect = operation.responses.find(({ code }) => /^3/.test(code));
  return redirect ? Number(redirect.code.replace(/xx$/i, '02')) : operation.successStatus;
}

/** Where an operation says what success looks like, its default response is about errors. */
function covers(operation: Operation, { code }: HttpResponse, status: number): boolean {
  return (
    code !== 'default' || status >= 400 || !operation.responses.some((other) => other.code.startsWith('2'))
  );
}

/** The contents of a response with their examples in order of preference, each with a generated one where it needs one. */
function withExamples(parts: NegotiateParts, asked: Asked, response: HttpResponse): CandidateContent[] {
  const { status } = asked;
  const { dynamic } = asked.preferences;
  // An example of a range or of the default response shows another status, so it is served only by name.
  const fits = response.code === String(status) || status < 400;
  return (response.contents ?? []).map((each) => {
    const content = { ...each, mediaType: toActualType(each.mediaType) };
    const named = examplesOf(parts.document.root, content);
    // An example that breaks its own schema is served only by name.
    const good = named.filter(({ value }) => isAnswerable(parts, content, value));
    if (good.length > 0 && fits && !dynamic) return { ...content, examples: [...good, ...named] };
    const error = status >= 400 && !dynamic ? toErrorValue(parts, content, asked) : undefined;
    const value = error ?? generate(parts, asked, content);
    const generated = value === undefined ? [] : [{ key: 'generated', value, generated: true }];
    return { ...content, examples: [...generated, ...named] };
  });
}

/** Text in a form of its own, XML say, is taken as it stands, and so is the example of a schema that nothing can check. */
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

/** A question whose status is settled. */
interface Asked {
  readonly operation: Operation;
  readonly preferences: Preferences;
  readonly status: number;
  readonly occurrence: Occurrence;
}

function generate(
  parts: NegotiateParts,
  { operation, preferences, status }: Asked,
  { schema, mediaType }: HttpContent,
): unknown {
  // Whatever it may be, JSON that is declared has a value.
  if (!schema) return isJson(toMediaType(mediaType) ?? '') ? {} : undefined;
  const { dynamic, seed } = preferences;
  const name = `${operation.label} ${status} ${mediaType}${seed === undefined ? '' : ` ${seed}`}`;
  return parts.generate(schema, name, { examples: !dynamic });
}

function toErrorValue(
  { errors }: NegotiateParts,
  { schema }: HttpContent,
  { status, occurrence }: Asked,
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

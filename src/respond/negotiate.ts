import { examplesOf } from '../check/check.ts';
import { isJson, isXml, negotiateMediaType, toActualType, toMediaType } from '../codecs/codecs.ts';
import type { Document, HttpContent, HttpExample, HttpResponse } from '../document/document.ts';
import type { ErrorShapes } from '../errors/errors.ts';
import { toCode } from '../faults/faults.ts';
import { sampleValue } from '../generate/generate.ts';
import type { MockRequest, MockResponse } from '../message.ts';
import type { DeclaredHeaders } from '../operations/operations.ts';
import { findResponse, mediaTypesOf, type Operation } from '../operations/operations.ts';
import { Problem } from '../problem.ts';
import type { Schema } from '../schema/schema.ts';
import type { Preferences } from './prefer.ts';
import { type Format, notAcceptable, toFormat, withContent } from './respond.ts';

/** Answers from the document alone: a declared example, else a value generated from the schema. */
export type Negotiator = (
  operation: Operation,
  preferences: Preferences,
  request: MockRequest,
) => Promise<MockResponse>;

export interface NegotiatorParts {
  readonly document: Document;
  readonly errors: ErrorShapes;
  readonly headers: DeclaredHeaders;
  /** A value for a schema, the same for the same name; `undefined` if none is found. */
  readonly generate: (schema: Schema, name: string, options?: { readonly examples?: boolean }) => unknown;
  /** Whether an answer may hold a value. */
  readonly isValid: (schema: Schema, value: unknown) => boolean;
}

/** Answers are kept: the same request gives the same one. The bound is for clients that make up Accept values. */
const KEPT_ANSWERS = 1000;

export function createNegotiator(parts: NegotiatorParts): Negotiator {
  const kept = new Map<string, Promise<MockResponse>>();
  return (operation, preferences, request) => {
    const { code } = preferences;
    // An error may name the path that was asked for.
    const path = Number(code) >= 400 ? request.path : '';
    const key = JSON.stringify([operation.label, preferences, request.headers.accept, path]);
    const known = kept.get(key);
    if (known) return known;
    if (kept.size >= KEPT_ANSWERS) kept.clear();
    const answer = negotiate(parts, operation, preferences, request);
    kept.set(key, answer);
    // A Problem is an answer like any other; anything else may go better the next time.
    answer.catch((error: unknown) => error instanceof Problem || kept.delete(key));
    return answer;
  };
}

/** Statuses that HTTP allows no content, whatever a document says. */
const BODILESS = new Set([204, 205, 304]);

async function negotiate(
  parts: NegotiatorParts,
  operation: Operation,
  preferences: Preferences,
  { path, headers: { accept } }: MockRequest,
): Promise<MockResponse> {
  const status = preferences.code ?? toOwnStatus(operation);
  const declared = findResponse(operation, status);
  // The document speaks of errors alone: what success looks like is not said, so it says nothing.
  if (!declared && preferences.code === undefined) return { status, headers: {} };
  if (!declared || !covers(operation, declared, status)) throw notDeclared(operation, status);
  const response = withExamples(parts, { operation, preferences, status, path }, declared);
  const declaredTypes = mediaTypesOf(response);
  const chosen =
    negotiateMediaType(accept, typesWithExample(response, preferences)) ??
    negotiateMediaType(accept, declaredTypes);
  if (chosen === undefined && declaredTypes.length > 0) throw notAcceptable(operation, accept, declaredTypes);
  const headers = parts.headers.ofExample(operation, status);
  const content = response.contents?.find(({ mediaType }) => mediaType === chosen);
  if (!content) return { status, headers };
  const body = await pickValue(parts, { operation, preferences, status, path }, content);
  if (body === undefined || BODILESS.has(status)) return { status, headers };
  const text = writeExample(body, toFormat(parts.document.root, content));
  return withContent(status, headers, content.mediaType, text);
}

/** The example that is asked for by name, else the first one, else what the schema looks like. */
async function pickValue(
  { document }: NegotiatorParts,
  { operation, preferences, status }: Asked,
  { schema, examples = [], mediaType }: HttpContent,
): Promise<unknown> {
  const named = examples as readonly HttpExample[];
  const wanted = preferences.example;
  if (wanted) {
    const example = named.find(({ key }) => key === wanted);
    if (!example) throw exampleNotFound(operation, `${wanted}" for ${status} as ${mediaType}`, named);
    return example.value;
  }
  const [first] = named;
  if (first) return first.value;
  return schema && sampleValue(schema, document.root);
}

/** An example of XML may be the text itself. */
function writeExample(value: unknown, format: Format | undefined): string {
  const asIs =
    typeof value === 'string' &&
    (!format || (isXml(toMediaType(format.mediaType) ?? '') && value.trimStart().startsWith('<')));
  return asIs ? value : (format?.write(value) ?? JSON.stringify(value));
}

/** The media types that have the wanted example; an example by name may be there in one of them only. */
function typesWithExample({ contents = [] }: HttpResponse, { example }: Preferences): string[] {
  return contents
    .filter(({ examples = [] }) => examples.some((each) => 'key' in each && each.key === example))
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

/** The response with its examples in order of preference, each content with one if one can be had. */
function withExamples(parts: NegotiatorParts, asked: Asked, response: HttpResponse): HttpResponse {
  const { status } = asked;
  const { dynamic } = asked.preferences;
  // An example of a range or of the default response speaks of another status, so it is only there to be named.
  const speaks = response.code === String(status) || status < 400;
  const contents = (response.contents ?? []).map((each) => {
    const content = { ...each, mediaType: toActualType(each.mediaType) };
    const named = examplesOf(parts.document.root, content);
    // One that breaks its own schema is only there to be named.
    const good = named.filter(({ value }) => isAnswerable(parts, content, value));
    if (good.length > 0 && speaks && !dynamic) return { ...content, examples: [...good, ...named] };
    const error = status >= 400 && !dynamic ? toErrorValue(parts, content, status, asked.path) : undefined;
    const value = error ?? generate(parts, asked, content);
    return value === undefined
      ? { ...content, examples: named }
      : { ...content, examples: [{ key: 'generated', value }, ...named] };
  });
  return { ...response, contents };
}

/** Text in a form of its own, XML say, is taken as it stands, and so is the example of a schema that nothing can check. */
function isAnswerable(
  { isValid }: NegotiatorParts,
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

/** What a request asks of the document. */
interface Asked {
  readonly operation: Operation;
  readonly preferences: Preferences;
  readonly status: number;
  readonly path: string;
}

function generate(
  parts: NegotiatorParts,
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
  { errors }: NegotiatorParts,
  { schema }: HttpContent,
  status: number,
  path: string,
): unknown {
  const message = `The request asks for this answer: code=${status}.`;
  return schema && errors.fill(schema, new Problem(status, toCode(status), message), path);
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

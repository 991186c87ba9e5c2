import type { Cache } from '../../base/cache.ts';
import { Problem } from '../../base/problem.ts';
import type { HttpExample } from '../../document/document.ts';
import {
  type DeclaredHeaders,
  type DeclaredResponse,
  findCode,
  findResponse,
  notAcceptable,
  type Operation,
} from '../../model/operations/operations.ts';
import type { SchemaNode } from '../../schema/schema.ts';
import {
  isBinary,
  isJson,
  negotiateMediaType,
  toFormat,
  toListFormat,
  toMediaType,
  writeExample,
} from '../../wire/codecs/codecs.ts';
import {
  BODILESS_STATUSES,
  type MockRequest,
  type MockResponse,
  sizeOfResponse,
  withContent,
} from '../../wire/message/message.ts';
import type { PushVariant } from '../variants/variants.ts';
import {
  type Candidate,
  type CandidateContent,
  type ExampleSources,
  hasExamples,
  type StatusQuestion,
  withExamples,
} from './candidates.ts';
import { createEchoFinder, type Echoes } from './echo.ts';
import type { Preferences } from './prefer.ts';

/** An answer from the document, and the source of its body. */
export interface Negotiated {
  readonly response: MockResponse;
  readonly source: 'example' | 'generated';
  /** The time of the session at which it was made, if it is cached. */
  readonly at?: number;
}

/** An error may state its time, which must not stand still for a client that asks again. */
const ERROR_LIFETIME_MS = 1000;

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
  /** The values of the path, as text. */
  readonly path: Readonly<Record<string, string>>;
  /** The typed values of the query; none where the request was not validated. */
  readonly query: Echoes;
  readonly request: MockRequest;
}

interface NegotiateParts extends ExampleSources {
  readonly headers: DeclaredHeaders;
  /** Loads what `generate` needs; `undefined` once it is there. */
  readonly ready: () => Promise<void> | undefined;
  /** Fills a schema with its defaults and first choices, valid or not. */
  readonly sample: (schema: SchemaNode) => Promise<unknown>;
  readonly pushVariant: PushVariant;
}

/** Builds a function that answers from a document. The same question gets the same answer while the cache has it. */
export function buildNegotiate(parts: NegotiateParts): Negotiate {
  const findEchoes = createEchoFinder();
  return (asked, cache, now) => {
    const question = { ...asked, query: findEchoes(asked.operation, asked.query) };
    const { operation, preferences, path: values, query, request } = question;
    const { accept = '' } = request.headers;
    // An error may quote the path of the request.
    const isError = Number(preferences.code) >= 400;
    const path = isError ? request.path : '';
    const key = JSON.stringify([operation.label, preferences, accept, path, values, toKeyParts(query)]);
    const known = cache.get(key);
    const isStale = isError && Math.abs(now - (known?.at ?? now)) >= ERROR_LIFETIME_MS;
    if (known && !isStale) return known;
    const keep = (negotiated: Negotiated) => {
      cache.set(key, { ...negotiated, at: now }, key.length + sizeOfResponse(negotiated.response));
      return negotiated;
    };
    const negotiated = answerFromDocument(parts, question, now);
    return negotiated instanceof Promise ? negotiated.then(keep) : keep(negotiated);
  };
}

/** Converts each value to text, since JSON cannot hold a bigint. */
function toKeyParts(query: Echoes): string[][] {
  return Object.entries(query).map(([name, value]) => [name, typeof value, String(value)]);
}

function answerFromDocument(
  parts: NegotiateParts,
  { operation, preferences, path: values, query, request }: DocumentQuestion,
  now: number,
): Negotiated | Promise<Negotiated> {
  const { path } = request;
  const status = preferences.code ?? toOwnStatus(operation);
  const declared = findResponse(operation, status);
  // The document declares no response at all, so a success has no content.
  if (!declared && preferences.code === undefined) return toEmpty(status, {});
  if (!declared) throw notDeclared(operation, status);
  const asked = { operation, preferences, path: values, query, status, occurrence: { path, now } };
  const ready = hasExamples(parts, asked, declared) ? undefined : parts.ready();
  return ready
    ? ready.then(() => answerWith(parts, asked, declared, request))
    : answerWith(parts, asked, declared, request);
}

/** Answers with a declared response. */
function answerWith(
  parts: NegotiateParts,
  asked: StatusQuestion,
  declared: DeclaredResponse,
  { headers }: MockRequest,
): Negotiated | Promise<Negotiated> {
  const { operation, preferences, status } = asked;
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
    const body = writeCandidate(content, pushCandidate(parts, asked, content, value), generated);
    const response = withContent(status, fixed, content.mediaType, body);
    return { response, source: generated ? 'generated' : 'example' };
  };
  const example = pickExample(asked, content);
  if (example) return write(example);
  if (!content.schema) return toEmpty(status, fixed);
  return parts.sample(content.schema).then((value) => write({ key: '', value, generated: true }));
}

/** Pushes a value to the variant that is asked for. A file, and a text in place of an object, stay as they are. */
function pushCandidate(
  { pushVariant }: NegotiateParts,
  { operation, status, preferences: { variant } }: StatusQuestion,
  { schema, mediaType }: CandidateContent,
  value: unknown,
): unknown {
  const type = toMediaType(mediaType) ?? '';
  if (!variant || !schema || value instanceof Uint8Array || isBinary(type)) return value;
  // The text of a structured content is the content as written.
  if (typeof value === 'string' && !isJson(type)) return value;
  return pushVariant(variant, { operation, status, schema, value });
}

/** Writes an example, or a value that was made up. A text in place of a list is that list as written, unless it was made up. */
function writeCandidate(content: CandidateContent, value: unknown, generated = false): string | Uint8Array {
  if (value instanceof Uint8Array) return value;
  const list = typeof value !== 'string' || generated ? toListFormat(content) : undefined;
  return list?.write(value) ?? writeExample(value, toFormat(content));
}

function toEmpty(status: number, headers: MockResponse['headers']): Negotiated {
  return { response: { status, headers }, source: 'example' };
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

/** The media types that have the requested example. */
function typesWithExample(contents: readonly CandidateContent[], { example }: Preferences): string[] {
  return contents
    .filter(({ examples }) => examples.some(({ key }) => key === example))
    .map(({ mediaType }) => mediaType);
}

/** The success status; where the document declares none, a redirect, else its first response. */
function toOwnStatus(operation: Operation): number {
  const { successStatus, codes } = operation;
  if (findCode(operation, successStatus) !== undefined) return successStatus;
  const other = codes.find((code) => code.startsWith('3')) ?? codes.find((code) => /^[45]/.test(code));
  if (other === undefined) return successStatus;
  return Number(other.startsWith('3') ? other.replace(/xx$/i, '02') : other.replace(/xx$/i, '00'));
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

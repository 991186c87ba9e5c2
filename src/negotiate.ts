import type { Document, HttpContent, HttpResponse } from './document.ts';
import type { ErrorShapes } from './error-shape.ts';
import { toCode } from './faults.ts';
import { isJson, negotiateMediaType, toMediaType } from './media-type.ts';
import type { MockRequest, MockResponse } from './message.ts';
import { findResponse, mediaTypesOf, type Operation } from './operations.ts';
import type { Preferences } from './prefer.ts';
import type { Prism } from './prism.ts';
import { examplesOf } from './prism-operation.ts';
import { Problem } from './problem.ts';
import { notAcceptable, withContent } from './respond.ts';
import type { Schema } from './schema.ts';

/** Answers from the document alone: a declared example, else a value generated from the schema. */
export type Negotiator = (
  operation: Operation,
  preferences: Preferences,
  request: MockRequest,
) => Promise<MockResponse>;

export interface NegotiatorParts {
  readonly document: Document;
  readonly errors: ErrorShapes;
  /** A value for a schema, the same for the same name; `undefined` if none is found. */
  readonly generate: (schema: Schema, name: string, options?: { readonly examples?: boolean }) => unknown;
  readonly prism: () => Promise<Prism>;
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
  const status = preferences.code ?? operation.successStatus;
  const declared = findResponse(operation, status);
  if (!declared || !covers(operation, declared, status)) throw notDeclared(operation, status);
  const response = withExamples(parts, { operation, preferences, status, path }, declared);
  const declaredTypes = mediaTypesOf(response);
  const chosen = negotiateMediaType(accept, declaredTypes);
  if (chosen === undefined && declaredTypes.length > 0) throw notAcceptable(operation, accept, declaredTypes);
  const prism = await parts.prism();
  const { example } = preferences;
  const { mediaType, headers, body } = await prism.negotiate(operation, response, {
    status,
    mediaType: chosen,
    example,
  });
  if (mediaType === undefined || body === undefined || BODILESS.has(status)) return { status, headers };
  const text =
    typeof body === 'string' && !isJson(toMediaType(mediaType) ?? '') ? body : JSON.stringify(body);
  return withContent(status, headers, mediaType, text);
}

/** Where an operation says what success looks like, its default response is about errors. */
function covers(operation: Operation, { code }: HttpResponse, status: number): boolean {
  return (
    code !== 'default' || status >= 400 || !operation.responses.some((other) => other.code.startsWith('2'))
  );
}

/** The response with an example in every content: Prism answers with it, and makes nothing up. */
function withExamples(parts: NegotiatorParts, asked: Asked, response: HttpResponse): HttpResponse {
  const { status } = asked;
  const { dynamic } = asked.preferences;
  // An example of a range or of the default response speaks of another status, so it is only there to be named.
  const speaks = response.code === String(status) || status < 400;
  const contents = (response.contents ?? []).map((content) => {
    const named = examplesOf(parts.document.root, content);
    if (named.length > 0 && speaks && !dynamic) return { ...content, examples: named };
    const error = status >= 400 && !dynamic ? toErrorValue(parts, content, status, asked.path) : undefined;
    const value = error ?? generate(parts, asked, content);
    return value === undefined
      ? { ...content, examples: named }
      : { ...content, examples: [{ key: 'generated', value }, ...named] };
  });
  return { ...response, contents };
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
  if (!schema) return undefined;
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

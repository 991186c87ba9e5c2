import type { Document } from '../../document/document.ts';
import {
  type DeclaredResponse,
  findResponse,
  mediaTypesOf,
  type Operation,
} from '../../model/operations/operations.ts';
import { toShape } from '../../schema/schema.ts';
import { isCovered, isJson, toMediaType } from '../../wire/codecs/codecs.ts';
import { BODILESS_STATUSES, type MockRequest, type MockResponse } from '../../wire/message/message.ts';
import { headerOf, toExcerpt } from './answer.ts';
import { type CheckFinding, toFinding } from './check-finding.ts';
import { hideProperties } from './hide-properties.ts';
import { createPrism, type Prism } from './prism.ts';

/** The requirements for an answer beyond those of the document. */
export interface Expected {
  /** The allowed statuses. */
  readonly statuses: readonly number[];
  /** Whether state may also refuse the request with a client error. */
  readonly refusable?: boolean;
  /** The requested media type. */
  readonly mediaType?: string | undefined;
  /** The name of the requested example. */
  readonly example?: string | undefined;
  /** The value of `Preference-Applied`. */
  readonly applied?: string | undefined;
}

/** Judges answers with Prism. */
export type Judge = Prism['judge'];

/**
 * Creates a judge. Prism removes `writeOnly` properties from a schema itself, but not behind references or inside combiners, so it
 * gets schemas without any.
 */
export async function createJudge(document: Document): Promise<Judge> {
  const show = <T>(part: T) => hideProperties(document.reader, part, 'writeOnly') as T;
  return (await createPrism(document, show)).judge;
}

/** Finds each mistake in an answer. */
export async function judgeAnswer(
  judge: Judge,
  operation: Operation,
  request: MockRequest,
  response: MockResponse,
  expected: Expected,
): Promise<CheckFinding[]> {
  const wrong = [
    ...checkStatus(response, expected),
    ...checkLength(request, response),
    ...checkPreference(response, expected),
  ];
  const declared = findResponse(operation, response.status);
  if (!declared) return [...wrong, ...checkUndeclared(operation, response)];
  return [
    ...wrong,
    ...checkContentType(operation, request, response, expected),
    ...checkXml(declared, response),
    ...(request.method === 'HEAD' ? [] : await askJudge(judge, operation, request, response, expected)),
  ];
}

export const SUCCESSES: readonly number[] = Array.from({ length: 100 }, (_, index) => 200 + index);

/** The statuses with which state refuses a valid request: 400 where the document declares nothing closer. */
const REFUSAL_STATUSES: ReadonlySet<number> = new Set([400, 404, 409, 422]);

export function isRefusal({ status }: MockResponse): boolean {
  return REFUSAL_STATUSES.has(status);
}

function checkStatus(response: MockResponse, { statuses, refusable }: Expected): CheckFinding[] {
  const { status } = response;
  if (statuses.includes(status) || (refusable && isRefusal(response))) return [];
  const wanted = statuses.includes(299) ? 'a success' : statuses.join(' or ');
  return [
    toFinding(
      'status-unexpected',
      `It answered ${status} instead of ${wanted}: ${toExcerpt(response) || 'no body'}`,
    ),
  ];
}

function checkLength({ method }: MockRequest, response: MockResponse): CheckFinding[] {
  const { status, body = '' } = response;
  const length = headerOf(response, 'Content-Length');
  const bytes = Buffer.byteLength(body);
  if (bytes > 0 && BODILESS_STATUSES.has(status))
    return [
      toFinding('body-forbidden', `It answered ${status} with a body, which that status must not have.`),
    ];
  if (bytes > 0 && method === 'HEAD') return [toFinding('body-forbidden', 'It answered HEAD with a body.')];
  if (bytes > 0 && headerOf(response, 'Content-Type') === undefined)
    return [toFinding('content-type-wrong', 'Its body has no Content-Type.')];
  if (length === undefined || method === 'HEAD' || Number(length) === bytes) return [];
  return [
    toFinding('content-length-wrong', `Its Content-Length is ${length}, but its body has ${bytes} bytes.`),
  ];
}

function checkPreference(response: MockResponse, { applied }: Expected): CheckFinding[] {
  if (applied === undefined) return [];
  const actual = headerOf(response, 'Preference-Applied');
  if (actual === applied) return [];
  return [
    toFinding('preference-wrong', `Its Preference-Applied is "${actual ?? ''}" instead of "${applied}".`),
  ];
}

/** Checks an answer with an undeclared status. Any undeclared error is accepted. */
function checkUndeclared({ id, responses }: Operation, response: MockResponse): CheckFinding[] {
  const { status, body } = response;
  if (status >= 400) return [];
  const silent = !responses.some(({ code }) => /^([23]|default)/i.test(code));
  if (silent && status < 300) {
    if (!body || isJson(toMediaType(headerOf(response, 'Content-Type')) ?? '')) return [];
    const message =
      'It has a body other than JSON, though the document does not say what success looks like.';
    return [toFinding('body-undeclared', message)];
  }
  const codes = responses.map(({ code }) => code).join(', ');
  const message = `It answered ${status}, which the document does not declare for ${id}. It has: ${codes}.`;
  return [toFinding('status-undeclared', message)];
}

function checkContentType(
  operation: Operation,
  { method }: MockRequest,
  response: MockResponse,
  { mediaType }: Expected,
): CheckFinding[] {
  const { status, body } = response;
  const declared = mediaTypesOf(findResponse(operation, status));
  const type = headerOf(response, 'Content-Type');
  if (type === undefined) {
    const missing =
      declared.length > 0 && !BODILESS_STATUSES.has(status) && method !== 'HEAD' && body === undefined;
    if (!missing || mediaType === undefined) return [];
    return [toFinding('body-missing', `It has no body, though ${mediaType} was asked for.`)];
  }
  const actual = toMediaType(type) ?? '';
  const covered = (range: string) => isCovered(range, actual);
  // The document does not describe the content of such an error. JSON of an entity fits an answer of unknown content.
  if (declared.length === 0 && (status >= 400 || isJson(actual))) return [];
  if (declared.length === 0)
    return [
      toFinding(
        'body-undeclared',
        `It has a body of ${type}, though the document declares none for ${status}.`,
      ),
    ];
  if (!declared.some(covered)) {
    const message = `Its Content-Type is ${type}; the document declares ${declared.join(', ')} for ${status}.`;
    return [toFinding('content-type-wrong', message)];
  }
  if (mediaType !== undefined && status < 400 && !covered(mediaType))
    return [
      toFinding('content-type-wrong', `Its Content-Type is ${type}, though ${mediaType} was asked for.`),
    ];
  return [];
}

/** Whether Prism can read a body. It reads only JSON, and would check any other text against a schema of objects. */
function isReadable(response: MockResponse): boolean {
  if (BODILESS_STATUSES.has(response.status)) return false;
  return isJson(toMediaType(headerOf(response, 'Content-Type')) ?? 'application/json');
}

/** The locations of Prism's violations about a body or its type. */
const UNREADABLE = /^(body|request$)/;

/** Checks that an XML body begins like XML. A schema of type string allows any text. */
function checkXml(declared: DeclaredResponse, response: MockResponse): CheckFinding[] {
  const type = headerOf(response, 'Content-Type') ?? '';
  const { body } = response;
  if (!/[/+]xml\b/.test(type) || body === undefined || /^\s*</.test(String(body))) return [];
  const content = declared.contents.find(({ mediaType }) => isCovered(mediaType, toMediaType(type) ?? ''));
  if (content?.schema?.keywords.type === 'string') return [];
  return [toFinding('body-unreadable', `It is not XML: ${toExcerpt(response)}`)];
}

async function askJudge(
  judge: Judge,
  operation: Operation,
  request: MockRequest,
  response: MockResponse,
  { example }: Expected,
): Promise<CheckFinding[]> {
  const isExample = example !== undefined;
  const code = isExample ? 'example-invalid' : 'answer-invalid';
  const what = isExample ? toBrokenExample(operation, response, example) : 'It does not hold to the document';
  const remedy = isExample ? ' Correct the example or the schema.' : '';
  try {
    const violations = await judge(operation, request, response);
    return violations
      .filter(({ location }) => isReadable(response) || !UNREADABLE.test(location))
      .map(({ location, message }) => toFinding(code, `${what}: ${location}: ${message}.${remedy}`));
  } catch (error) {
    return [toFinding('body-unreadable', `It cannot be read: ${(error as Error).message}`)];
  }
}

/** Names the example of the document that breaks a schema. */
function toBrokenExample(operation: Operation, response: MockResponse, example: string): string {
  const type = toMediaType(headerOf(response, 'Content-Type'));
  const contents = findResponse(operation, response.status)?.contents ?? [];
  const content = contents.find(({ mediaType }) => type !== undefined && isCovered(mediaType, type));
  const { name } = toShape(content?.schema);
  const schema = name === undefined ? 'its schema' : `the schema ${name}`;
  const answer = [response.status, type].filter((each) => each !== undefined).join(' as ');
  return `The document's example ${example} for ${answer} breaks ${schema}`;
}

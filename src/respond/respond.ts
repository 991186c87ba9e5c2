import {
  buildChooser,
  type ChooseMediaType,
  isJson,
  isXml,
  toActualType,
  toJson,
  toMediaType,
  toXml,
} from '../codecs/codecs.ts';
import type { HttpContent } from '../document/document.ts';
import type { MockRequest, MockResponse, Outcome } from '../message.ts';
import type { DeclaredHeaders } from '../operations/operations.ts';
import { findResponse, type Operation } from '../operations/operations.ts';
import { Problem, toErrorHeaders } from '../problem.ts';
import { toShape } from '../schema/schema.ts';

export { createNegotiator, type Negotiator } from './negotiate.ts';
export { type Preferences, readPreferences, toPreferenceApplied } from './prefer.ts';

/** How a value is written in one media type. */
export interface Format {
  readonly mediaType: string;
  write(value: unknown): string;
}

/** Writes what state answers. */
export interface Responder {
  /**
   * How state is answered with a status, that of success unless given; `undefined` where the document declares no content for
   * it. Throws a 406 Problem; so it is asked before anything is changed.
   */
  chooseFormat(operation: Operation, request: MockRequest, status?: number): Format | undefined;
  /** Whether a request prefers a declared media type that state cannot be written in, such as an image. */
  prefersExample(operation: Operation, request: MockRequest): boolean;
  /** Writes what an action decided. */
  toResponse(operation: Operation, outcome: Outcome, format: Format | undefined): MockResponse;
}

export interface ResponderParts {
  /** What the references of schemas resolve in. */
  readonly root: unknown;
  readonly headers: DeclaredHeaders;
}

/** The media types of an operation's answers with one status. */
interface Offer {
  readonly mediaTypes: readonly string[];
  /** The one of them that an Accept value prefers. */
  readonly choose: ChooseMediaType;
  /** Those of them that any value can be written in. */
  readonly writable: readonly string[];
  readonly chooseWritable: ChooseMediaType;
  readonly formats: ReadonlyMap<string, Format>;
}

export function createResponder({ root, headers: declared }: ResponderParts): Responder {
  const offers = new WeakMap<Operation, Map<number, Offer>>();
  const offerOf = (operation: Operation, status: number): Offer => {
    const own = offers.get(operation) ?? new Map<number, Offer>();
    offers.set(operation, own);
    const offer = own.get(status) ?? buildOffer(root, operation, status);
    own.set(status, offer);
    return offer;
  };
  return {
    chooseFormat(operation, { headers: { accept } }, status = operation.successStatus) {
      const { formats, writable, chooseWritable } = offerOf(operation, status);
      if (writable.length === 0) return undefined;
      const chosen = chooseWritable(accept);
      if (chosen !== undefined) return formats.get(chosen);
      throw notAcceptable(operation, accept, writable);
    },
    prefersExample(operation, { headers: { accept } }) {
      const { mediaTypes, choose, writable, formats } = offerOf(operation, operation.successStatus);
      if (writable.length === 0 || writable.length === mediaTypes.length) return false;
      const chosen = choose(accept);
      return chosen !== undefined && !formats.has(chosen);
    },
    toResponse(operation, { status = operation.successStatus, headers: own = {}, body }, format) {
      const fixed = declared.ofState(operation, status);
      if (format === undefined || body === undefined) return { status, headers: joinHeaders(fixed, own) };
      const text = format.write(body);
      return {
        status,
        headers: joinHeaders(fixed, own, toContentHeaders(format.mediaType, text)),
        body: text,
      };
    },
  };
}

function buildOffer(root: unknown, operation: Operation, status: number): Offer {
  const contents = findResponse(operation, status)?.contents ?? [];
  const formats = new Map(
    contents.flatMap((content) => {
      const format = toFormat(root, content);
      return format ? [[format.mediaType, format] as const] : [];
    }),
  );
  const mediaTypes = [...new Set(contents.map(({ mediaType }) => toActualType(mediaType)))];
  const writable = [...formats.keys()];
  return {
    mediaTypes,
    choose: buildChooser(mediaTypes),
    writable,
    chooseWritable: buildChooser(writable),
    formats,
  };
}

/** How any value is written as a content; `undefined` where there is no way. */
export function toFormat(root: unknown, { mediaType: declared, schema }: HttpContent): Format | undefined {
  const mediaType = toActualType(declared);
  const type = toMediaType(mediaType) ?? '';
  if (isJson(type)) return { mediaType, write: toJson };
  if (isXml(type)) return { mediaType, write: (value) => toXml(value, toShape(root, schema)) };
  return undefined;
}

export function notAcceptable(
  operation: Operation,
  accept: string | undefined,
  offered: readonly string[],
): Problem {
  const types = offered.join(', ');
  return new Problem(
    406,
    'not_acceptable',
    `${operation.id} answers as ${types}, which "Accept: ${accept}" excludes.`,
  );
}

/** Writes an error, whatever Accept says, because no client is helped by less. */
export function toProblemResponse(
  problem: Problem,
  headers: Readonly<Record<string, string>>,
  mediaType: string,
  content: string,
): MockResponse {
  return withContent(problem.status, { ...headers, ...toErrorHeaders(problem) }, mediaType, content);
}

/** A response with content and the headers that describe it. */
export function withContent(
  status: number,
  headers: Readonly<Record<string, string>>,
  mediaType: string,
  body: string,
): MockResponse {
  return { status, headers: joinHeaders(headers, toContentHeaders(mediaType, body)), body };
}

function toContentHeaders(mediaType: string, body: string): Headers {
  return { 'Content-Type': mediaType, 'Content-Length': String(Buffer.byteLength(body)) };
}

/** A response with more headers. The links that are there already are kept, but for those of a relation that is added. */
export function withHeaders(response: MockResponse, ...added: readonly Headers[]): MockResponse {
  const headers = joinHeaders(response.headers, ...added);
  const own = response.headers.Link;
  const link = own === undefined ? undefined : added.find(({ Link }) => Link !== undefined)?.Link;
  if (own !== undefined && link !== undefined) headers.Link = joinLinks(own, link);
  return { status: response.status, headers, body: response.body };
}

type Headers = MockResponse['headers'];

/** Several headers in one object; the later ones win. To spread objects of many shapes takes up to twenty times as long. */
export function joinHeaders(...parts: readonly Headers[]): Record<string, string> {
  return Object.assign({}, ...parts);
}

function joinLinks(own: string, added: string): string {
  const relations = new Set(toRelations(added));
  const others = own
    .split(/,\s*(?=<)/)
    .filter((link) => !toRelations(link).some((each) => relations.has(each)));
  return [...others, added].join(', ');
}

function toRelations(links: string): string[] {
  return [...links.matchAll(/;\s*rel="?([^";,]+)/gi)].flatMap(([, relations = '']) =>
    relations.trim().split(/\s+/),
  );
}

/** The answer to HEAD (RFC 9110 section 9.3.2): all of GET but the content. */
export function withoutContent(response: MockResponse): MockResponse {
  return { status: response.status, headers: response.headers };
}

import {
  type DeclaredContent,
  type DeclaredHeaders,
  findResponse,
  notAcceptable,
  type Operation,
} from '../../model/operations/operations.ts';
import type { SchemaNode } from '../../schema/schema.ts';
import {
  type ChooseMediaType,
  createChooser,
  type Format,
  toActualTypes,
  toFormat,
  toJsonFormat,
  toListFormat,
  toTextFormat,
} from '../../wire/codecs/codecs.ts';
import {
  joinHeaders,
  type MockRequest,
  type MockResponse,
  type Outcome,
  toContentHeaders,
  withContent,
} from '../../wire/message/message.ts';
import type { PushVariant, Variant } from '../variants/variants.ts';

/** Writes the answers of state. */
export interface Responder {
  /**
   * Chooses the format for a status, the success status unless given; `undefined` where the document declares no content for it.
   * Throws a 406 Problem, so call it before any change.
   */
  chooseFormat(operation: Operation, request: MockRequest, status?: number): Format | undefined;
  /** Whether a request prefers a declared media type that no format can write, such as an image. */
  prefersExample(operation: Operation, request: MockRequest): boolean;
  /** Whether the document declares content for a status that the request accepts, in any media type. */
  declaresContent(operation: Operation, request: MockRequest, status: number): boolean;
  /** Whether the document declares content for a success, and the request accepts none of it. */
  excludes(operation: Operation, request: MockRequest): boolean;
  /** Writes an outcome, pushed to a variant if one is asked for. */
  toResponse(
    operation: Operation,
    outcome: Outcome,
    format: Format | undefined,
    variant?: Variant,
  ): MockResponse;
}

interface ResponderParts {
  readonly headers: DeclaredHeaders;
  readonly pushVariant: PushVariant;
}

/** The format of an outcome whose content the document does not declare. */
export const PLAIN_JSON: Format = toJsonFormat('application/json');

/** The media types of an operation's answers with one status. */
interface Offer {
  readonly mediaTypes: readonly string[];
  /** Chooses the one that an Accept value prefers. */
  readonly choose: ChooseMediaType;
  /** Those that have a format. */
  readonly writable: readonly string[];
  readonly chooseWritable: ChooseMediaType;
  readonly formats: ReadonlyMap<string, Format>;
  /** The schema of each media type that has one. */
  readonly schemas: ReadonlyMap<string, SchemaNode>;
}

export function createResponder({ headers: declared, pushVariant }: ResponderParts): Responder {
  const offers = new WeakMap<Operation, Map<number, Offer>>();
  const offerOf = (operation: Operation, status: number): Offer => {
    const own = offers.get(operation) ?? new Map<number, Offer>();
    offers.set(operation, own);
    const offer = own.get(status) ?? buildOffer(operation, status);
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
    declaresContent(operation, { headers: { accept } }, status) {
      const { mediaTypes, choose } = offerOf(operation, status);
      return mediaTypes.length > 0 && choose(accept) !== undefined;
    },
    excludes(operation, { headers: { accept } }) {
      const { mediaTypes, choose } = offerOf(operation, operation.successStatus);
      return mediaTypes.length > 0 && choose(accept) === undefined;
    },
    toResponse: buildToResponse(declared, (operation, status, variant, mediaType, value) => {
      const schema = offerOf(operation, status).schemas.get(mediaType);
      return schema ? pushVariant(variant, { operation, status, schema, value }) : value;
    }),
  };
}

/** Pushes the value of an answer to a variant, as far as the schema of its media type allows. */
type Push = (
  operation: Operation,
  status: number,
  variant: Variant,
  mediaType: string,
  value: unknown,
) => unknown;

function buildToResponse(declared: DeclaredHeaders, push: Push): Responder['toResponse'] {
  return (operation, outcome, format, variant) => {
    const { status = operation.successStatus, headers: own = {}, body, file, stream } = outcome;
    const fixed = declared.ofState(operation, status);
    if (stream) {
      const { mediaType, ...opened } = stream;
      const headers = joinHeaders(fixed, own, { 'Content-Type': mediaType });
      return { status, headers, transmission: { kind: 'stream', ...opened } };
    }
    if (file) return withContent(status, joinHeaders(fixed, own), file.mediaType, file.bytes);
    if (body === undefined) return { status, headers: joinHeaders(fixed, own) };
    const { mediaType, write } = format ?? PLAIN_JSON;
    const text = write(variant ? push(operation, status, variant, mediaType, body) : body);
    return {
      status,
      headers: joinHeaders(fixed, own, toContentHeaders(mediaType, text)),
      body: text,
    };
  };
}

function buildOffer(operation: Operation, status: number): Offer {
  const contents = findResponse(operation, status)?.contents ?? [];
  // JSON and XML come first, so that text is written only if a client asks for it.
  const listed = toListedContents(contents);
  const found = [...contents.map(toFormat), ...contents.map(toTextFormat), ...listed.map(toListFormat)];
  const formats = new Map(found.flatMap((format) => (format ? [[format.mediaType, format] as const] : [])));
  const mediaTypes = [...new Set(contents.flatMap(({ mediaType }) => toActualTypes(mediaType)))];
  const writable = [...formats.keys()];
  return {
    mediaTypes,
    choose: createChooser(mediaTypes),
    writable,
    chooseWritable: createChooser(writable),
    formats,
    schemas: new Map([...contents, ...listed].flatMap(toSchemas)),
  };
}

function toSchemas({ mediaType, schema }: OfferedContent): (readonly [string, SchemaNode])[] {
  return schema ? toActualTypes(mediaType).map((type) => [type, schema]) : [];
}

type OfferedContent = Pick<DeclaredContent, 'mediaType' | 'schema'>;

/** The contents without an example, which otherwise goes before state. A table of a text has the columns of the JSON. */
function toListedContents(contents: readonly DeclaredContent[]): OfferedContent[] {
  const structured = contents.find(({ schema }) => isStructured(schema))?.schema;
  return contents
    .filter(({ examples }) => examples.length === 0)
    .map(({ mediaType, schema }) => ({ mediaType, schema: isStructured(schema) ? schema : structured }));
}

function isStructured(schema: SchemaNode | undefined): boolean {
  return schema !== undefined && (schema.types.includes('array') || schema.types.includes('object'));
}

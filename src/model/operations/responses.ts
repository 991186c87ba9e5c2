import type {
  HttpBody,
  HttpContent,
  HttpEncoding,
  HttpExample,
  HttpOperation,
  HttpOutline,
  HttpParameter,
} from '../../document/document.ts';
import type { SchemaNode, SchemaReader } from '../../schema/schema.ts';

/** A body or a response in one media type. */
export interface DeclaredContent {
  readonly mediaType: string;
  readonly schema: SchemaNode | undefined;
  readonly examples: readonly HttpExample[];
  /** The serialization of individual form properties. */
  readonly encodings: readonly HttpEncoding[];
}

export interface DeclaredBody {
  readonly required: boolean;
  readonly contents: readonly DeclaredContent[];
}

export interface DeclaredResponse {
  /** `200`, `4XX` or `default`. */
  readonly code: string;
  readonly contents: readonly DeclaredContent[];
  /** Those whose names are valid in HTTP. */
  readonly headers: readonly DeclaredHeader[];
}

export interface DeclaredHeader {
  readonly name: string;
  readonly required: boolean;
  readonly explode: boolean;
  readonly schema: SchemaNode | undefined;
  /** The value of its first example, if it has any. */
  readonly example: unknown;
}

/** The parts of an operation that can be read one by one, without converting its request and responses. */
export interface Outline {
  /** The codes of the responses, in the document's order. */
  readonly codes: readonly string[];
  /** The names of the headers of all responses. */
  headerNames(): readonly string[];
  /** The contents of the response with a code. */
  answerContents(code: string): readonly OutlineContent[];
  /** The contents of the request body. */
  bodyContents(): readonly OutlineContent[];
  parameters(): readonly OutlineParameter[];
}

/** The parts of a parameter that inference reads. */
export interface OutlineParameter {
  readonly in: string;
  readonly name: string;
  readonly required: boolean;
  readonly schema: SchemaNode;
}

/** The parts of a content that inference reads. */
export type OutlineContent = Pick<DeclaredContent, 'mediaType' | 'schema'>;

/** Builds the responses of an operation in the document's order. */
export function buildResponses(reader: SchemaReader, { responses }: HttpOperation): DeclaredResponse[] {
  return responses.map(({ code, contents = [], headers = [] }) => ({
    code,
    contents: contents.map((content) => toContent(reader, content)),
    headers: headers.filter(isHeaderName).map((header) => toHeader(reader, header)),
  }));
}

export function buildBody(reader: SchemaReader, body: HttpBody | undefined): DeclaredBody | undefined {
  if (!body) return undefined;
  const contents = (body.contents ?? []).map((content) => toContent(reader, content));
  return { required: body.required === true, contents };
}

/** Builds the outline of an operation, from its source's if that is not converted yet. */
export function buildOutline(reader: SchemaReader, source: HttpOperation): Outline {
  return new SourceOutline(reader, source.outline ?? toConvertedOutline(source));
}

/** Reads each part once. This is a class, because a document may have thousands of them. */
class SourceOutline implements Outline {
  readonly #reader: SchemaReader;
  readonly #source: HttpOutline;
  #answers: Map<string, readonly OutlineContent[]> | undefined;
  #body: readonly OutlineContent[] | undefined;
  #parameters: readonly OutlineParameter[] | undefined;

  constructor(reader: SchemaReader, source: HttpOutline) {
    this.#reader = reader;
    this.#source = source;
  }

  get codes(): readonly string[] {
    return this.#source.codes;
  }

  headerNames(): readonly string[] {
    return this.#source.headerNames().filter((name) => isHeaderName({ name }));
  }

  answerContents(code: string): readonly OutlineContent[] {
    this.#answers ??= new Map();
    const contents = this.#answers.get(code) ?? this.#read(this.#source.answerContents(code));
    this.#answers.set(code, contents);
    return contents;
  }

  bodyContents(): readonly OutlineContent[] {
    this.#body ??= this.#read(this.#source.bodyContents());
    return this.#body;
  }

  parameters(): readonly OutlineParameter[] {
    this.#parameters ??= this.#source.parameters().map(({ in: place, name, required, schema }) => ({
      in: place,
      name,
      required: required === true,
      schema: this.#reader.read(schema),
    }));
    return this.#parameters;
  }

  #read(contents: readonly HttpContent[]): OutlineContent[] {
    return contents.map(({ mediaType, schema }) => ({
      mediaType,
      schema: schema && this.#reader.read(schema),
    }));
  }
}

function toConvertedOutline(source: HttpOperation): HttpOutline {
  const { responses } = source;
  return {
    codes: responses.map(({ code }) => code),
    headerNames: () => responses.flatMap(({ headers = [] }) => headers.map(({ name }) => name)),
    answerContents: (wanted) => responses.find(({ code }) => code === wanted)?.contents ?? [],
    bodyContents: () => source.request?.body?.contents ?? [],
    parameters: () => {
      const { path = [], query = [] } = source.request ?? {};
      return [
        ...path.map((each) => ({ ...each, in: 'path' })),
        ...query.map((each) => ({ ...each, in: 'query' })),
      ];
    },
  };
}

function toContent(reader: SchemaReader, content: HttpContent): DeclaredContent {
  const { mediaType, schema, examples = [], encodings = [] } = content;
  return {
    mediaType,
    schema: schema && reader.read(schema),
    examples: examples.map((example) => toExample(reader, example)),
    encodings,
  };
}

function toExample(reader: SchemaReader, example: NonNullable<HttpContent['examples']>[number]): HttpExample {
  const { key, ...resolved } = reader.resolve(example) as HttpExample;
  // The name of a referenced example is beside its `$ref`.
  return { ...resolved, key: 'key' in example ? String(example.key) : key };
}

function toHeader(reader: SchemaReader, header: HttpParameter): DeclaredHeader {
  const { name, required, explode, schema, examples = [] } = header;
  const [example] = examples.map((each) => reader.resolve(each) as { readonly value?: unknown } | null);
  return {
    name,
    required: required === true,
    explode: explode === true,
    schema: schema && reader.read(schema),
    example: example?.value,
  };
}

function isHeaderName({ name }: Pick<HttpParameter, 'name'>): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}

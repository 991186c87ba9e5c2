import type { Document, HttpOperation } from '../../document/document.ts';
import type { SchemaReader } from '../../schema/schema.ts';
import { buildParameters, type Parameter } from './parameters.ts';
import {
  buildBody,
  buildOutline,
  buildResponses,
  type DeclaredBody,
  type DeclaredResponse,
  type Outline,
} from './responses.ts';

/** One method + path template of the document, with everything that can be decided at load. */
export interface Operation {
  /** The operationId, or else the label. */
  readonly id: string;
  /** Upper case. */
  readonly method: string;
  /** The path template. */
  readonly path: string;
  /** The paths of its servers, such as `/v1`, under which it is also served. */
  readonly bases: readonly string[];
  /** `GET /pets/{petId}` */
  readonly label: string;
  readonly summary: string;
  readonly deprecated: boolean;
  /** Every `x-` key of the operation. */
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly parameters: readonly Parameter[];
  readonly body: DeclaredBody | undefined;
  /** In the document's order. */
  readonly responses: readonly DeclaredResponse[];
  /** The codes of its responses, in the document's order. */
  readonly codes: readonly string[];
  /** The parts of its body and responses that can be read without converting it; built on each access. */
  readonly outline: Outline;
  /** The status of a successful answer: the lowest 2xx that the document declares by itself, else 200. */
  readonly successStatus: number;
  /** The operation in the document, with its references. */
  readonly source: HttpOperation;
}

/** Finds the declared response for a status: its own, else that of its range, else the default. */
export function findResponse(operation: Operation, status: number): DeclaredResponse | undefined {
  const found = findCode(operation, status);
  return found === undefined ? undefined : operation.responses.find(({ code }) => code === found);
}

/** Finds the code of the declared response for a status. */
export function findCode({ codes }: Operation, status: number): string | undefined {
  const named = (wanted: string) => codes.find((code) => code.toUpperCase() === wanted);
  return named(String(status)) ?? named(`${Math.floor(status / 100)}XX`) ?? named('DEFAULT');
}

/** Lists the media types that a response declares. */
export function mediaTypesOf(response: DeclaredResponse | undefined): string[] {
  return (response?.contents ?? []).map((content) => content.mediaType);
}

/** Builds an operation. Its parameters, body and responses are built when they are first read. */
export function buildOperation({ reader }: Document, source: HttpOperation, basesOf: ReadBases): Operation {
  return new LazyOperation(reader, source, basesOf(source.servers));
}

/** This is a class, because thousands of objects with their own getters take several times the memory. */
class LazyOperation implements Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly bases: readonly string[];
  readonly label: string;
  readonly summary: string;
  readonly deprecated: boolean;
  readonly extensions: Operation['extensions'];
  readonly codes: readonly string[];
  readonly successStatus: number;
  readonly source: HttpOperation;
  readonly #reader: SchemaReader;
  #outline: Outline | undefined;
  #parameters: Operation['parameters'] | undefined;
  #responses: Operation['responses'] | undefined;
  #body: { readonly value: Operation['body'] } | undefined;

  constructor(reader: SchemaReader, source: HttpOperation, bases: readonly string[]) {
    const { path, summary = '', extensions = {} } = source;
    this.method = source.method.toUpperCase();
    this.path = path;
    this.label = `${this.method} ${path}`;
    this.id = source.iid ?? this.label;
    this.bases = bases;
    this.summary = summary;
    this.deprecated = source.deprecated === true;
    this.extensions = extensions;
    this.source = source;
    this.#reader = reader;
    this.#outline = buildOutline(reader, source);
    this.codes = this.#outline.codes;
    this.successStatus = lowestSuccess(this.codes);
  }

  get outline(): Outline {
    this.#outline ??= buildOutline(this.#reader, this.source);
    return this.#outline;
  }

  get parameters(): Operation['parameters'] {
    this.#parameters ??= buildParameters(this.#reader, this.#convert());
    return this.#parameters;
  }

  get body(): Operation['body'] {
    this.#body ??= { value: buildBody(this.#reader, this.#convert().request?.body) };
    return this.#body.value;
  }

  get responses(): Operation['responses'] {
    this.#responses ??= buildResponses(this.#reader, this.#convert());
    return this.#responses;
  }

  #convert(): HttpOperation {
    // An outline of the unconverted operation would keep it in memory.
    this.#outline = undefined;
    return this.source;
  }
}

type ReadBases = (servers: HttpOperation['servers']) => readonly string[];

/** Creates a reader of server paths that remembers the document's own, which most operations share. */
export function createBasesReader({ basePath }: Document): ReadBases {
  const known = new Map<HttpOperation['servers'], readonly string[]>();
  return (servers) => {
    const bases = known.get(servers) ?? toBases(basePath, servers);
    known.set(servers, bases);
    return bases;
  };
}

/** Returns the paths of the servers' URLs, with the defaults of their variables. */
function toBases(basePath: string, servers: HttpOperation['servers'] = []): string[] {
  const paths = servers.map(({ url, variables = {} }) => {
    const filled = url.replace(/\{([^{}]+)\}/g, (_, name: string) =>
      String(variables[name]?.default ?? name),
    );
    return URL.canParse(filled, 'http://localhost') ? new URL(filled, 'http://localhost').pathname : '';
  });
  return [...new Set([basePath, ...paths].map((path) => path.replace(/\/+$/, '')))].filter(
    (path) => path !== '',
  );
}

function lowestSuccess(codes: readonly string[]): number {
  let lowest: number | undefined;
  for (const code of codes)
    if (EXACT_SUCCESS.test(code) && (lowest === undefined || Number(code) < lowest)) lowest = Number(code);
  return lowest ?? 200;
}

const EXACT_SUCCESS = /^2\d\d$/;

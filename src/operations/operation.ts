import type { Document, HttpOperation } from '../document/document.ts';
import { once } from '../once.ts';
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

/** Builds an operation. Its parameters and responses are built when they are first read. */
export function buildOperation({ reader }: Document, source: HttpOperation, basesOf: ReadBases): Operation {
  const { path, summary = '', extensions = {} } = source;
  const method = source.method.toUpperCase();
  const label = `${method} ${path}`;
  let outline: Outline | undefined = buildOutline(reader, source);
  const { codes } = outline;
  const convert = <T>(build: () => T) =>
    once(() => {
      // An outline of the unconverted operation would keep it in memory.
      outline = undefined;
      return build();
    });
  const parameters = convert(() => buildParameters(reader, source));
  const responses = convert(() => buildResponses(reader, source));
  const body = convert(() => buildBody(reader, source.request?.body));
  return {
    id: source.iid ?? label,
    method,
    path,
    bases: basesOf(source.servers),
    label,
    deprecated: source.deprecated === true,
    ...{ summary, extensions },
    successStatus: lowestSuccess(codes),
    codes,
    source,
    get outline() {
      outline ??= buildOutline(reader, source);
      return outline;
    },
    get parameters() {
      return parameters();
    },
    get body() {
      return body();
    },
    get responses() {
      return responses();
    },
  };
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
  const exact = codes.filter((code) => /^2\d\d$/.test(code)).map(Number);
  return exact.length === 0 ? 200 : Math.min(...exact);
}

import type { Document, HttpBody, HttpOperation, HttpResponse } from '../document/document.ts';
import { Problem } from '../problem.ts';
import { resolveReference } from '../schema/schema.ts';
import { buildParameters, type Parameter } from './parameters.ts';
import { buildResponses } from './responses.ts';
import { buildRouter, endsWithSlash, type FindRoute, type Route } from './router.ts';

export { createDeclaredHeaders, type DeclaredHeaders } from './declared-headers.ts';
export { examplesOf } from './examples.ts';
export { toCookiePairs } from './parameter-source.ts';
export type { Reading } from './parameter-styles.ts';
export type { Parameter, ParameterPlace } from './parameters.ts';
export { headerNamesOf } from './responses.ts';
export { templateNames } from './router.ts';

/** One method + path template of the document, with everything about it that can be decided at load. */
export interface Operation {
  /** The operationId, or `GET /pets` where the document gives none. */
  readonly id: string;
  /** Upper case. */
  readonly method: string;
  /** The path template. */
  readonly path: string;
  /** The paths of its servers, such as `/v1`, under which it is served too. */
  readonly bases: readonly string[];
  /** `GET /pets/{petId}` */
  readonly label: string;
  readonly summary: string;
  readonly deprecated: boolean;
  /** Every `x-` key of the operation. */
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly parameters: readonly Parameter[];
  readonly body: HttpBody | undefined;
  /** Responses with their references resolved, in the document's order. */
  readonly responses: readonly HttpResponse[];
  /** The status of a successful answer: the lowest 2xx that the document declares, else 200. */
  readonly successStatus: number;
  /** The operation as the document has it, references kept. */
  readonly source: HttpOperation;
}

export interface Match {
  readonly operation: Operation;
  /** The base that the path begins with; empty for none. */
  readonly base: string;
  /** Path parameters by name: decoded, not yet typed. */
  readonly parameters: Readonly<Record<string, string>>;
  /** A segment of the path that cannot be decoded, if there is one; its parameter is left as it came. */
  readonly malformed: string | undefined;
}

/** The operations of a document. */
export interface OperationTable {
  readonly operations: readonly Operation[];
  /** The operation with an operationId, or with a label such as `GET /pets`. */
  find(idOrLabel: string): Operation | undefined;
  /** The operation of a request, HEAD answered by GET. Throws a Problem: 404, 405 with `Allow`, or 501. */
  match(method: string, path: string): Match;
  /** The value of `Allow` for a path. Throws a Problem for an unknown one. */
  allow(path: string): string;
  /** The operation that `match` would find; `undefined` where it would throw. */
  probe(method: string, path: string): Operation | undefined;
}

export function buildOperationTable(document: Document): OperationTable {
  const operations = document.root.operations.map((source) => buildOperation(document, source));
  const byName = new Map(operations.map((operation) => [operation.label, operation]));
  for (const operation of operations) byName.set(operation.id, operation);
  const routes = buildRouter(operations);

  const routeOf = (path: string) => {
    const found = routes(path);
    if (!found) throw unknownPath(path, routes);
    return found;
  };
  return {
    operations,
    find: (idOrLabel) => byName.get(idOrLabel),
    match(method, path) {
      const { route, values } = routeOf(path);
      const entry = select(route, method);
      if (!entry) throw refuseMethod(method, path, route.allow);
      const { target: operation, base, names } = entry;
      const { parameters, malformed } = bindParameters(names, values);
      return { operation, base, parameters, malformed };
    },
    probe(method, path) {
      const found = routes(path);
      return found && select(found.route, method)?.target;
    },
    allow: (path) => routeOf(path).route.allow,
  };
}

/** HEAD is answered by GET where the document does not have it. */
function select({ methods }: Route<Operation>, method: string) {
  return methods.get(method) ?? (method === 'HEAD' ? methods.get('GET') : undefined);
}

/** The declared response for a status: its own, else that of its range, else the default one. */
export function findResponse(operation: Operation, status: number): HttpResponse | undefined {
  const codes = [String(status), `${Math.floor(status / 100)}XX`, 'DEFAULT'];
  return codes
    .map((code) => operation.responses.find((response) => response.code.toUpperCase() === code))
    .find((response) => response !== undefined);
}

/** The media types that a response declares. */
export function mediaTypesOf(response: HttpResponse | undefined): string[] {
  return (response?.contents ?? []).map((content) => content.mediaType);
}

/** What is found by is there at once; what takes work is made when it is first read, and kept. */
function buildOperation(document: Document, source: HttpOperation): Operation {
  const { root } = document;
  const method = source.method.toUpperCase();
  const label = `${method} ${source.path}`;
  const parameters = once(() => buildParameters(root, source));
  const body = once(() => resolveReference(root, source.request?.body) as HttpBody | undefined);
  const responses = once(() => buildResponses(root, source));
  return {
    id: source.iid ?? label,
    method,
    path: source.path,
    bases: toBases(document, source),
    label,
    summary: source.summary ?? '',
    deprecated: source.deprecated === true,
    extensions: source.extensions ?? {},
    successStatus: lowestSuccess(source.responses),
    source,
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

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The paths of the servers' URLs, with the defaults of their variables. */
function toBases({ basePath }: Document, { servers = [] }: HttpOperation): string[] {
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

function lowestSuccess(responses: HttpOperation['responses']): number {
  const statuses = responses.map(({ code }) => (/^2xx$/i.test(code) ? 200 : Number(code)));
  const successes = statuses.filter((status) => status >= 200 && status < 300);
  return successes.length > 0 ? Math.min(...successes) : 200;
}

type Bound = Pick<Match, 'parameters' | 'malformed'>;

const NOTHING_BOUND: Bound = { parameters: Object.freeze(Object.create(null)), malformed: undefined };

function bindParameters(names: readonly string[], values: readonly string[]): Bound {
  if (names.length === 0) return NOTHING_BOUND;
  const parameters: Record<string, string> = Object.create(null);
  let malformed: string | undefined;
  for (const [index, name] of names.entries()) {
    const value = values[index] ?? '';
    const decoded = value.includes('%') ? decode(value) : value;
    if (decoded === undefined) malformed = value;
    parameters[name] = decoded ?? value;
  }
  return { parameters, malformed };
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

const KNOWN_METHODS = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
]);

function refuseMethod(method: string, path: string, allow: string): Problem {
  if (!KNOWN_METHODS.has(method)) {
    return new Problem(501, 'method_not_implemented', `No path of this server knows the method ${method}.`);
  }
  return new Problem(405, 'method_not_allowed', `${method} is not allowed on ${path}. Allowed: ${allow}.`, {
    headers: { Allow: allow },
  });
}

function unknownPath(path: string, routes: FindRoute<Operation>): Problem {
  const other = endsWithSlash(path) ? path.slice(0, -1) : `${path}/`;
  const hint = routes(other)
    ? ` Did you mean ${other}?`
    : ' "petstore-mock routes" lists the paths there are.';
  return new Problem(404, 'path_not_found', `The document has no path ${path}.${hint}`);
}

import { OPERATION_CONFIG } from '@stoplight/http-spec/oas';
import { transformOas2Operation } from '@stoplight/http-spec/oas2';
import { transformOas3Operation } from '@stoplight/http-spec/oas3';
import { isObject, resolveReference } from '../schema/schema.ts';
import { createContext } from './conversion-context.ts';
import { toOutline } from './outline.ts';

type Members = Readonly<Record<string, unknown>>;

/** An operation as it was prepared. */
export interface Place {
  /** The document without its paths. */
  readonly shared: Members;
  /** Those of the document. */
  readonly servers: readonly object[];
  readonly path: string;
  readonly item: Members;
  readonly method: string;
}

/** An operation of OpenAPI 3, whose parameters, body and responses are converted together when one of them is first read. */
export function convertOperation({ shared, servers, path, item, method }: Place): object {
  const operation = item[method] as Members;
  const own = operation.servers ?? item.servers;
  // What was converted is not needed in its first form any more, and may be large.
  let raw: Raw | undefined = { operation, parameters: toList(operation).concat(toList(item)) };
  let converted: ReturnType<typeof transform> | undefined;
  const convert = () => {
    if (raw) converted = transform(shared, path, method, raw);
    raw = undefined;
    return converted;
  };
  const made = {
    ...toHead(operation, path, method),
    servers: own === undefined ? servers : toServers(own),
    get request() {
      return convert()?.request;
    },
    get responses() {
      return convert()?.responses;
    },
    get security() {
      return convert()?.security;
    },
  };
  // Not a part of the operation, so whoever copies or writes that leaves it out.
  const outline = () => raw && toOutline(shared, raw.operation);
  return Object.defineProperty(made, 'outline', { get: outline });
}

/** Swagger spreads what an operation takes and answers over the document, so its outline would be no shorter. */
export function convertSwaggerOperation({ shared, path, item, method }: Place): object {
  return transformOas2Operation(toCall(shared, path, item, method));
}

/** The servers with a URL, and their variables with a usable default. */
export function toServers(servers: unknown): object[] {
  const found = (servers ?? []) as readonly Members[];
  return found.flatMap(({ url, variables = {} }) => {
    if (typeof url !== 'string') return [];
    const usable = Object.entries(variables as Readonly<Record<string, Members>>).filter(
      ([, variable]) => !isObject(variable.default ?? {}),
    );
    return [{ url, variables: Object.fromEntries(usable) }];
  });
}

interface Raw {
  readonly operation: Members;
  /** Its own, and then those of its path. */
  readonly parameters: readonly unknown[];
}

function toList({ parameters }: Members): readonly unknown[] {
  return Array.isArray(parameters) ? parameters : [];
}

function transform(shared: Members, path: string, method: string, { operation, parameters }: Raw) {
  const item = { [method]: { ...operation, parameters: [] } };
  const { request, responses, security } = transformOas3Operation(toCall(shared, path, item, method));
  return { request: { ...request, ...convertParameters(shared, parameters) }, responses, security };
}

/** Parameters by their place; of two of one name the first one counts. */
function convertParameters(shared: Members, nodes: readonly unknown[]): object {
  const places: Record<string, object[]> = { path: [], query: [], headers: [], cookie: [] };
  const known = new Set<string>();
  for (const node of nodes) {
    const parameter = resolveReference(shared, node) as Members;
    const id = `${parameter.in} ${parameter.name}`;
    if (known.has(id)) continue;
    known.add(id);
    const place = parameter.in === 'header' ? 'headers' : String(parameter.in);
    places[place]?.push(convertParameter(shared, parameter));
  }
  return places;
}

const convertedParameters = new WeakMap<object, object>();

/** The same object for the same parameter, so that operations that share it share the validator of its schema too. */
function convertParameter(shared: Members, parameter: Members): object {
  const known = convertedParameters.get(parameter);
  if (known) return known;
  const item = { get: { parameters: [parameter], responses: {} } };
  const { request = {} } = transformOas3Operation(toCall(shared, '/', item, 'get'));
  const { path = [], query = [], headers = [], cookie = [] } = request;
  const converted = [path, query, headers, cookie].flat()[0] as object;
  convertedParameters.set(parameter, converted);
  return converted;
}

/** What an operation is found and shown by. */
function toHead(operation: Members, path: string, method: string) {
  const { operationId, summary, deprecated, 'x-stoplight': editor } = operation;
  const marks = Object.keys(operation).filter((key) => key.startsWith('x-'));
  return {
    id: String((isObject(editor) ? editor.id : undefined) ?? `${method} ${path}`),
    method,
    path,
    ...(typeof operationId === 'string' && { iid: operationId }),
    ...(typeof summary === 'string' && { summary }),
    deprecated: deprecated === true,
    extensions: Object.fromEntries(marks.map((key) => [key, operation[key]])),
  };
}

function toCall(shared: Members, path: string, item: Members, method: string) {
  const document = { ...shared, paths: { [path]: item } };
  return { document, name: path, method, config: OPERATION_CONFIG, ctx: createContext(document) as never };
}

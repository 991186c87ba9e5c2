import { OPERATION_CONFIG } from '@stoplight/http-spec/oas';
import { transformOas2Operation } from '@stoplight/http-spec/oas2';
import { transformOas3Operation } from '@stoplight/http-spec/oas3';
import { isObject, resolveReference } from '../schema/schema.ts';
import { createConversionContext } from './conversion-context.ts';
import type { Mapping } from './mapping.ts';
import { toOutline } from './outline.ts';

/** An operation of a prepared document. */
interface PreparedOperation {
  /** The document without its paths. */
  readonly shared: Mapping;
  /** The servers of the document. */
  readonly servers: readonly object[];
  readonly path: string;
  readonly item: Mapping;
  readonly method: string;
}

/** Converts an OpenAPI 3 operation. Its parameters, body and responses are converted together when one of them is first read. */
export function convertOperation({ shared, servers, path, item, method }: PreparedOperation): object {
  const operation = item[method] as Mapping;
  const own = operation.servers ?? item.servers;
  // Released after the conversion, because it may be large.
  let raw: Raw | undefined = {
    operation,
    parameters: declaredParameters(operation).concat(declaredParameters(item)),
  };
  let converted: ReturnType<typeof transform> | undefined;
  const convert = () => {
    if (raw) converted = transform(shared, path, method, raw);
    raw = undefined;
    return converted;
  };
  const lazy = {
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
  // Not enumerable, so copies of the operation and JSON leave it out.
  const outline = () => raw && toOutline(shared, raw.operation, raw.parameters);
  return Object.defineProperty(lazy, 'outline', { get: outline });
}

/** Converts a Swagger operation at once: Swagger spreads an operation over the document, so an outline would save nothing. */
export function convertSwaggerOperation({ shared, path, item, method }: PreparedOperation): object {
  return transformOas2Operation(toCall(shared, path, item, method));
}

/** Returns the servers that have a URL, with those of their variables that have a usable default. */
export function toServers(servers: unknown): object[] {
  const found = (servers ?? []) as readonly Mapping[];
  return found.flatMap(({ url, variables = {} }) => {
    if (typeof url !== 'string') return [];
    const usable = Object.entries(variables as Readonly<Record<string, Mapping>>).filter(
      ([, variable]) => !isObject(variable.default ?? {}),
    );
    return [{ url, variables: Object.fromEntries(usable) }];
  });
}

interface Raw {
  readonly operation: Mapping;
  /** The parameters of the operation, then those of its path. */
  readonly parameters: readonly unknown[];
}

function declaredParameters({ parameters }: Mapping): readonly unknown[] {
  return Array.isArray(parameters) ? parameters : [];
}

function transform(shared: Mapping, path: string, method: string, { operation, parameters }: Raw) {
  const item = { [method]: { ...operation, parameters: [] } };
  const { request, responses, security } = transformOas3Operation(toCall(shared, path, item, method));
  return { request: { ...request, ...convertParameters(shared, parameters) }, responses, security };
}

/** Groups parameters by place. The first of two with the same name wins. */
function convertParameters(shared: Mapping, nodes: readonly unknown[]): object {
  const places: Record<string, object[]> = { path: [], query: [], headers: [], cookie: [] };
  const known = new Set<string>();
  for (const node of nodes) {
    const parameter = resolveReference(shared, node) as Mapping;
    const id = `${parameter.in} ${parameter.name}`;
    if (known.has(id)) continue;
    known.add(id);
    const place = parameter.in === 'header' ? 'headers' : String(parameter.in);
    places[place]?.push(convertParameter(shared, parameter));
  }
  return places;
}

const convertedParameters = new WeakMap<object, object>();

/** Converts a parameter once, so that operations that share it also share the validator of its schema. */
function convertParameter(shared: Mapping, parameter: Mapping): object {
  const known = convertedParameters.get(parameter);
  if (known) return known;
  const item = { get: { parameters: [parameter], responses: {} } };
  const { request = {} } = transformOas3Operation(toCall(shared, '/', item, 'get'));
  const { path = [], query = [], headers = [], cookie = [] } = request;
  const converted = [path, query, headers, cookie].flat()[0] as object;
  convertedParameters.set(parameter, converted);
  return converted;
}

/** Converts the members that identify and describe an operation. */
function toHead(operation: Mapping, path: string, method: string) {
  const { operationId, summary, tags, deprecated, 'x-stoplight': editor } = operation;
  const marks = Object.keys(operation).filter((key) => key.startsWith('x-'));
  return {
    id: String((isObject(editor) ? editor.id : undefined) ?? `${method} ${path}`),
    method,
    path,
    ...(typeof operationId === 'string' && { iid: operationId }),
    ...(typeof summary === 'string' && { summary }),
    ...(Array.isArray(tags) && tags.length > 0 && { tags: tags.map(String) }),
    deprecated: deprecated === true,
    extensions: Object.fromEntries(marks.map((key) => [key, operation[key]])),
  };
}

function toCall(shared: Mapping, path: string, item: Mapping, method: string) {
  const document = { ...shared, paths: { [path]: item } };
  return {
    document,
    name: path,
    method,
    config: OPERATION_CONFIG,
    ctx: createConversionContext(document) as never,
  };
}

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
  return new LazyOperation(
    shared,
    toHead(operation, path, method),
    own === undefined ? servers : toServers(own),
    {
      operation,
      parameters: joinParameters(declaredParameters(operation), declaredParameters(item)),
    },
  );
}

/** This is a class, because thousands of objects with their own getters take several times the memory. */
class LazyOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly iid: string | undefined;
  readonly summary: string | undefined;
  readonly tags: readonly string[] | undefined;
  readonly deprecated: boolean;
  readonly extensions: Mapping;
  readonly servers: readonly object[];
  readonly #shared: Mapping;
  #raw: Raw | undefined;
  #converted: ReturnType<typeof transform> | undefined;

  constructor(shared: Mapping, head: ReturnType<typeof toHead>, servers: readonly object[], raw: Raw) {
    this.id = head.id;
    this.method = head.method;
    this.path = head.path;
    this.iid = head.iid;
    this.summary = head.summary;
    this.tags = head.tags;
    this.deprecated = head.deprecated;
    this.extensions = head.extensions;
    this.servers = servers;
    this.#shared = shared;
    this.#raw = raw;
  }

  get request(): unknown {
    return this.#convert()?.request;
  }

  get responses(): unknown {
    return this.#convert()?.responses;
  }

  get security(): unknown {
    return this.#convert()?.security;
  }

  get outline(): object | undefined {
    return this.#raw && toOutline(this.#shared, this.#raw.operation, this.#raw.parameters);
  }

  /** The operation with the members that JSON would leave out, because they are getters. */
  toJSON(): object {
    const { request, responses, security } = this;
    return { ...this, request, responses, security };
  }

  #convert() {
    if (this.#raw) this.#converted = transform(this.#shared, this.path, this.method, this.#raw);
    // Released after the conversion, because it may be large.
    this.#raw = undefined;
    return this.#converted;
  }
}

function joinParameters(own: readonly unknown[], shared: readonly unknown[]): readonly unknown[] {
  return shared.length === 0 ? own : own.concat(shared);
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
  return Array.isArray(parameters) ? parameters : NO_PARAMETERS;
}

const NO_PARAMETERS: readonly unknown[] = [];

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
  return {
    id: String((isObject(editor) ? editor.id : undefined) ?? `${method} ${path}`),
    method,
    path,
    iid: typeof operationId === 'string' ? operationId : undefined,
    summary: typeof summary === 'string' ? summary : undefined,
    tags: Array.isArray(tags) && tags.length > 0 ? tags.map(String) : undefined,
    deprecated: deprecated === true,
    extensions: toExtensions(operation),
  };
}

function toExtensions(operation: Mapping): Mapping {
  const marks = Object.keys(operation).filter((key) => key.startsWith('x-'));
  return marks.length === 0 ? NO_EXTENSIONS : Object.fromEntries(marks.map((key) => [key, operation[key]]));
}

const NO_EXTENSIONS: Mapping = Object.freeze({});

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

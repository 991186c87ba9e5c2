/** A schema, parameter, operation or path item, as a document writes it. */
export type Node = Readonly<Record<string, unknown>>;

export const TEXT: Node = { type: 'string' };
export const INTEGER: Node = { type: 'integer' };

/** A small OpenAPI document. */
export function toDocument(paths: Node, schemas: Node = {}): object {
  return { openapi: '3.0.3', info: { title: 'Small', version: '1' }, paths, components: { schemas } };
}

export function toObject(properties: Node, ...required: string[]): Node {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

export function toList(items: unknown): Node {
  return { type: 'array', items };
}

export function toReference(name: string): Node {
  return { $ref: `#/components/schemas/${name}` };
}

/** An answer with a body in JSON, or with none. */
export function toAnswer(status: number, schema?: unknown): Node {
  return { [status]: { description: 'Done', ...(schema !== undefined && toContent(schema)) } };
}

/** An operation with its answers, and with a body if it takes one. */
export function toOperation(responses: Node, body?: unknown, parameters: readonly Node[] = []): Node {
  return { responses, parameters, ...(body !== undefined && { requestBody: toContent(body) }) };
}

export function inPath(name: string, schema: unknown = INTEGER): Node {
  return { in: 'path', name, required: true, schema };
}

export function inQuery(name: string, schema: unknown = TEXT, more: Node = {}): Node {
  return { in: 'query', name, schema, ...more };
}

export interface CrudOptions {
  /** What a POST and a PUT take; the entity unless given. */
  readonly input?: unknown;
  readonly query?: readonly Node[];
  /** The path parameters before that of the item. */
  readonly above?: readonly Node[];
}

/** A collection and its items, with every method; a PUT may create. */
export function toCrud(collection: string, key: Node, entity: Node, options: CrudOptions = {}): Node {
  const { input = entity, query = [], above = [] } = options;
  return {
    [collection]: {
      parameters: above,
      get: toOperation(toAnswer(200, toList(entity)), undefined, query),
      post: toOperation(toAnswer(201, entity), input),
    },
    [`${collection}/{${String(key.name)}}`]: {
      parameters: [...above, key],
      get: toOperation(toAnswer(200, entity)),
      put: toOperation({ ...toAnswer(200, entity), ...toAnswer(201, entity) }, input),
      patch: toOperation(toAnswer(200, entity), { type: 'object' }),
      delete: toOperation(toAnswer(204)),
    },
  };
}

function toContent(schema: unknown): Node {
  return { content: { 'application/json': { schema } } };
}

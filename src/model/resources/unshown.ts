import type { SchemaNode } from '../../schema/schema.ts';
import { type OutlineParameter, templateNames } from '../operations/operations.ts';
import { bodySchema, isOpenBody } from './answers.ts';
import type { Key } from './keys.ts';
import type { PlacedOperation } from './placed-operation.ts';
import type { Methods } from './places.ts';
import { isObjectSchema, isOpenSchema } from './shapes.ts';
import { toSnake } from './snake-case.ts';

/** The operations of a collection and of its items. */
interface PairOperations {
  readonly collection: Methods | undefined;
  readonly item: Methods | undefined;
  /** The entities of an answer in which each links to itself. */
  readonly linked?: LinkedShape | undefined;
}

/** Entities that show a link to themselves instead of a key, and the operation that shows them. */
export interface LinkedShape {
  readonly schema: SchemaNode;
  readonly label: string;
}

/**
 * Finds the entities of a collection whose answers show no key. The schema comes from the body of the POST, or of the PUT without one, or
 * from an answer with links, and gets a key. `undefined` if the collection has none of these.
 */
export function findUnshown(
  parameter: string | undefined,
  { collection, item, linked }: PairOperations,
): { readonly key: Key; readonly schema: SchemaNode; readonly reason: string } | undefined {
  const create = collection?.get('POST') ?? findPut(item);
  if (!create && !linked) return undefined;
  // A creation whose body is not declared takes any object, if its items have paths.
  const anything = item && create && isOpenBody(create) ? parameterOf(item)?.schema.derive({}) : undefined;
  const body = linked?.schema ?? toEntityBody(bodySchema(create)) ?? anything;
  if (!body) return undefined;
  const property = parameter === undefined || /(^|_)id$/.test(toSnake(parameter)) ? 'id' : parameter;
  const writing = [item?.get('PUT'), item?.get('PATCH'), ...(linked ? [create] : [])];
  const changes = writing.map((each) => toEntityBody(bodySchema(each)));
  const properties = new Map([...changes, body].flatMap((schema) => [...(schema?.sharedProperties ?? [])]));
  const keySchema = properties.get(property) ?? keySchemaOf(item) ?? body.derive({ type: 'integer' });
  const type = KEY_TYPES.find((each) => keySchema.types.includes(each));
  if (!type) return undefined;
  const members = new Map([[property, keySchema], ...properties]);
  const schema = body.derive({
    type: 'object',
    properties: Object.fromEntries([...members].map(([name, { definition }]) => [name, definition])),
    required: [...new Set([property, ...body.required])],
  });
  const { method = '', path = '' } = create?.declared ?? {};
  const shown = linked
    ? `${linked.label} answers an object that links to itself`
    : `${method} ${path} takes an object`;
  return {
    key: { property, parameter: parameter ?? property, type, schema: keySchema },
    schema,
    reason: `${shown}, and "${property}" is added to it`,
  };
}

/** Finds a PUT that creates an object under a key that the client chooses. */
function findPut(item: Methods | undefined): PlacedOperation | undefined {
  const put = item?.get('PUT');
  const body = put?.keyIn === undefined ? bodySchema(put) : undefined;
  return body && isObjectSchema(body) && item?.has('GET') ? put : undefined;
}

const KEY_TYPES = ['integer', 'string'] as const;

/** The object in a body: the whole, or the only member of an envelope. */
function toEntityBody(schema: SchemaNode | undefined): SchemaNode | undefined {
  if (!schema || isOpenSchema(schema)) return schema;
  if (!isObjectSchema(schema)) return undefined;
  const [only, ...others] = schema.sharedProperties.values();
  return only && others.length === 0 && isObjectSchema(only) ? only : schema;
}

function parameterOf(item: Methods | undefined): OutlineParameter | undefined {
  const [operation] = item?.values() ?? [];
  return operation && findPathKey(operation);
}

function keySchemaOf(item: Methods | undefined): SchemaNode | undefined {
  const schema = parameterOf(item)?.schema;
  return schema?.types.some((type) => KEY_TYPES.some((each) => each === type)) ? schema : undefined;
}

/** The parameter of its own path that names the entity of an operation. */
export function findPathKey({ declared }: PlacedOperation): OutlineParameter | undefined {
  const name = templateNames(declared.path).at(-1);
  return declared.outline.parameters().find((each) => each.in === 'path' && each.name === name);
}

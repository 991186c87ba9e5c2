import type { Operation } from '../../model/operations/operations.ts';
import {
  answerSchema,
  findBodyEntity,
  findEntityShape,
  findListShape,
  isOpenAnswer,
  isOpenSchema,
  type Resource,
  toListNames,
} from '../../model/resources/resources.ts';
import type { SchemaNodes } from '../../schema/schema.ts';
import type { KeySources } from './keys.ts';
import type { RequestOptions, SampleBody } from './requests.ts';

/** Whether an operation takes the key of its entity from the body. */
export function takesKeyInBody({ service }: KeySources, { id }: Operation): boolean {
  return service.model.actions.get(id)?.key === 'body';
}

/** Whether an operation takes the key of its entity from its path. */
export function takesKeyInPath({ service }: KeySources, { id }: Operation): boolean {
  const key = service.model.actions.get(id)?.key;
  return typeof key === 'object' && 'parameter' in key;
}

/** Adds the key to the body or the query of a request, where the operation does not take it from its path. */
export function toKeyedOptions(
  { service, requests }: KeySources,
  operation: Operation,
  { item, body }: { readonly item: readonly string[]; readonly body: SampleBody | undefined },
): Pick<RequestOptions, 'body' | 'query'> {
  const action = service.model.actions.get(operation.id);
  const sent = body ?? (operation.body?.required ? requests.bodies(operation)[0] : undefined);
  const entityKey = action?.resource.key;
  const raw = item.at(-1);
  if (raw === undefined || !action || !entityKey) return { body: sent };
  const text = decodeURIComponent(raw);
  if (action.key === 'body') {
    const value = entityKey.type === 'integer' ? Number(text) : text;
    const path = [...(findBodyEntity(operation, action.resource)?.path ?? []), entityKey.property];
    return { body: (sent ?? requests.bodies(operation)[0])?.including(path, value) };
  }
  const { key } = action;
  const inQuery = typeof key === 'object' && 'query' in key;
  return { body: sent, ...(inQuery && { query: { [key.query]: text } }) };
}

/** The key of an entity for an operation that reads it from the query, even where the document makes it optional. */
export function toQueryKey(
  { service, firstEntity }: KeySources,
  { id }: Operation,
): Readonly<Record<string, unknown>> | undefined {
  const { key, resource } = service.model.actions.get(id) ?? {};
  if (typeof key !== 'object' || !('query' in key) || !resource?.key) return undefined;
  const value = firstEntity(resource)?.[resource.key.property];
  return value === undefined ? undefined : { [key.query]: value };
}

/** Whether the entities in an operation's answer have their key, as far as the document declares them. */
export function showsKey(operation: Operation, { key, singular, properties }: Resource): boolean {
  const schema = answerSchema(operation);
  if (!key || !schema || isOpenAnswer(operation)) return true;
  const isEntity = (members: SchemaNodes) => properties.some((name) => members.has(name));
  const shape = findListShape(schema, toListNames(singular)) ?? findEntityShape(schema, isEntity, [singular]);
  return !shape || isOpenSchema(shape.schema) || shape.schema.sharedProperties.has(key.property);
}

import type { Operation } from '../../model/operations/operations.ts';
import {
  answerSchema,
  findEntityShape,
  isOpenAnswer,
  type Resource,
} from '../../model/resources/resources.ts';
import { isObject, type SchemaNode, type SchemaNodes } from '../../schema/schema.ts';
import type { Entity } from '../../state/store/store.ts';
import type { MockResponse } from '../../wire/message/message.ts';
import { findShownEntity, readJsonBody } from './answer.ts';
import { showsKey } from './key-place.ts';

/** The answers of an operation that may show an entity. */
interface Showing {
  readonly operation: Operation;
  readonly resource: Resource;
  /** The key of the entity; `undefined` for a singleton. */
  readonly key: string | undefined;
}

/**
 * Finds the entity in an answer, by its key or at the place that the document declares. `undefined` if the answer shows none, like an
 * acknowledgement.
 */
export function findInAnswer(showing: Showing, response: MockResponse): Entity | undefined {
  const { operation, resource, key } = showing;
  const answer = readJsonBody(response);
  if (key !== undefined && showsKey(operation, resource))
    return findShownEntity(answer, resource.key?.property ?? '', key);
  const isOpen = !answerSchema(operation, response.status) || isOpenAnswer(operation, response.status);
  const path = isOpen ? [] : findShape(showing, response.status)?.path;
  const found = path?.reduce<unknown>((each, name) => (isObject(each) ? each[name] : undefined), answer);
  return isObject(found) ? found : undefined;
}

/**
 * Drops the properties of an entity that another operation shows in another form: one answer has keys, the other the entities that they
 * name.
 */
export function withoutOtherForms(
  entity: Entity,
  showing: Showing & { readonly status: number },
  other: Operation,
): Entity {
  const own = findShape(showing, showing.status)?.schema.sharedProperties;
  const others = findShape({ ...showing, operation: other })?.schema.sharedProperties;
  return Object.fromEntries(
    Object.entries(entity).filter(([name]) => isSameForm(own?.get(name), others?.get(name))),
  );
}

function findShape({ operation, resource }: Showing, status?: number) {
  const { properties, singular } = resource;
  const isEntity = (members: SchemaNodes) => properties.some((name) => members.has(name));
  return findEntityShape(answerSchema(operation, status), isEntity, [singular]);
}

/** Whether two schemas allow the same kind of value, as far as they declare one. */
function isSameForm(one: SchemaNode | undefined, other: SchemaNode | undefined): boolean {
  const [own, others] = [formOf(one), formOf(other)];
  if (own === undefined || others === undefined) return true;
  if (own !== others) return false;
  return own !== 'list' || isSameForm(one?.items, other?.items);
}

function formOf(schema: SchemaNode | undefined): 'list' | 'object' | 'scalar' | undefined {
  const forms = new Set(
    schema?.types.map((type) => (type === 'array' ? 'list' : type === 'object' ? 'object' : 'scalar')),
  );
  const [only] = forms;
  return forms.size === 1 ? only : undefined;
}

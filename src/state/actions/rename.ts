import { keyOf, toKeyCheck } from '../../model/resources/resources.ts';
import type { Entity } from '../store/store.ts';
import { moveBelow } from './below.ts';
import { type ActionContext, collectionOf, invalidBody, readEntity } from './context.ts';
import { moveSecret } from './identity.ts';
import { keyTaken } from './new-key.ts';
import { moveFilesOf } from './owned-files.ts';
import { moveTokens } from './tokens.ts';

/**
 * The new key in the body of a change; empty where it stays. Only a text that clients choose may become another one. Throws a 409
 * Problem for a key that another entity has, and a 422 Problem for one that cannot change.
 */
export function toNewName(context: ActionContext, current: Entity, body: Entity): Entity {
  const { key } = context.spec.resource;
  if (!key || !Object.hasOwn(body, key.property)) return {};
  const { [key.property]: requested } = body;
  if (requested === current[key.property]) return {};
  if (!mayBecome(context, requested)) {
    const location = `body.${key.property}`;
    throw invalidBody(
      location,
      `must stay ${String(current[key.property])} or be left out`,
      'property-fixed',
    );
  }
  if (collectionOf(context).get(requested)) throw keyTaken(context, requested);
  return { [key.property]: requested };
}

function mayBecome({ spec, schemas }: ActionContext, requested: unknown): requested is string {
  const { resource, acceptsKey, parameterSchema } = spec;
  if (resource.key?.type !== 'string' || !acceptsKey || typeof requested !== 'string') return false;
  return requested !== '' && toKeyCheck(schemas, undefined, parameterSchema)(requested);
}

/**
 * Stores a changed entity. One that got another key takes the place of the old one, and takes along the entities and files below
 * it, its password and its tokens.
 */
export function withRename(context: ActionContext, put: () => Entity): Entity {
  const { spec, store } = context;
  const { resource, isUser } = spec;
  if (resource.key?.type !== 'string') return put();
  const before = readEntity(context);
  const after = put();
  const [from, to] = [keyOf(resource, before), keyOf(resource, after)];
  if (from === to) return after;
  collectionOf(context).replace(from, to);
  moveBelow(context, from, to);
  moveFilesOf(context, from, to);
  if (isUser) {
    moveSecret(store, resource, before, after);
    moveTokens(store, resource.name, from, to);
  }
  return after;
}

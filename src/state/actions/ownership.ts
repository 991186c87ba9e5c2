import { type Resource, type ResourceModel, toSnake } from '../../model/resources/resources.ts';
import type { SchemaChecker, SchemaNode } from '../../schema/schema.ts';
import type { Entity } from '../store/store.ts';
import { type CallParts, findCaller } from './caller.ts';
import { pick } from './json-object.ts';

/** A property that names the creator of an entity: `author`, `userId`, `created_by`. */
export interface Ownership {
  readonly property: string;
  readonly schema: SchemaNode;
  /** The resource of the users. */
  readonly users: Resource;
  /** The property that is the key of a user. */
  readonly key: string;
}

const OWNER =
  /^(author|owner|creator|user|writer|reviewer|(created|posted|owned|uploaded)_by)(_(user_)?id)?$/;

/** Finds the properties of a resource that name the user who creates an entity. */
export function findOwnerships({ users, resources }: ResourceModel, { name, schema }: Resource): Ownership[] {
  const [found] = [...users].flatMap((each) => resources.get(each) ?? []);
  if (!found?.key || users.has(name)) return [];
  const key = found.key.property;
  return [...schema.sharedProperties].flatMap(([property, own]) =>
    OWNER.test(toSnake(property)) ? [{ property, schema: own, users: found, key }] : [],
  );
}

/** The properties of a new entity that name the user of the request as its creator; none without credentials. */
export function toOwner(
  parts: CallParts & { readonly schemas: SchemaChecker },
  ownerships: readonly Ownership[],
): Entity {
  const { callers, request, schemas } = parts;
  if (ownerships.length === 0 || !callers.read(request)) return {};
  const owned = ownerships.flatMap(({ property, schema, users, key }) => {
    const user = findCaller(parts, users);
    if (!user) return [];
    const isValid = (value: unknown) => schemas.check(schema, value, '').length === 0;
    const members = schema.allProperties;
    const shown = members.size === 0 ? user : pick(user, members);
    const value = [shown, user[key], String(user[key])].find(isValid);
    return value === undefined ? [] : [[property, value] as const];
  });
  return Object.fromEntries(owned);
}

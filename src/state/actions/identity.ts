import { isIdentity, isPassword, keyOf, type Resource } from '../../model/resources/resources.ts';
import type { Entity, Store } from '../store/store.ts';
import { isJsonObject } from './json-object.ts';

/** The collection of passwords and hidden names. The slash prevents a clash with resources, whose names are words of paths. */
export const SECRETS = '/secrets';

/** The credentials of a user that its entity does not show. */
interface Secret {
  /** The key of the user. */
  readonly user: string;
  readonly password?: string;
  /** The resource and the name of a user, if the entity has no property for the name. */
  readonly identity?: string;
}

/** The credentials in a request. */
export interface Login {
  /** The member that names the user. */
  readonly member: string;
  readonly name: string;
  readonly password: string;
}

/** Finds credentials in a body or query, at its top level or one object deep. */
export function readLogin(given: unknown): Partial<Login> {
  if (!isJsonObject(given)) return {};
  const objects = [given, ...Object.values(given).filter(isJsonObject)];
  const found = objects.map((object) => {
    const texts = Object.entries(object).flatMap(([name, value]) =>
      typeof value === 'string' && value !== '' ? [[name, value] as const] : [],
    );
    const named = texts.find(([each]) => isIdentity(each));
    const password = texts.find(([each]) => isPassword(each))?.[1];
    return {
      ...(named && { member: named[0], name: named[1] }),
      ...(password !== undefined && { password }),
    };
  });
  return (
    found.find(({ name }) => name !== undefined) ?? found.find(({ password }) => password !== undefined) ?? {}
  );
}

/** Finds a user by any of its names. */
export function findUser(store: Store, resource: Resource, name: string): Entity | undefined {
  const users = store.collection(resource.name);
  for (const property of resource.properties.filter(isIdentity)) {
    const [found] = users.having(property, name)?.slice(0, 1) ?? users.where(property, name);
    if (found) return found;
  }
  const [secret] = store.collection(SECRETS).where('identity', `${resource.name}/${name}`);
  return secret && users.get(String(secret.user));
}

/** Returns the password of a user; `undefined` if none was set, so that any password is right. */
export function passwordOf(store: Store, resource: Resource, user: Entity): unknown {
  return store.collection(SECRETS).get(secretKey(resource, user))?.password;
}

/** Stores the password of a user, and a name that the entity does not show. */
export function remember(
  store: Store,
  resource: Resource,
  user: Entity,
  { name, password }: Partial<Login>,
): void {
  const isShown = resource.properties.some((each) => isIdentity(each) && user[each] === name);
  const isHidden = name !== undefined && !isShown;
  if (!isHidden && password === undefined) return;
  const secret: Secret = {
    user: keyOf(resource, user),
    ...(password !== undefined && { password }),
    ...(isHidden && { identity: `${resource.name}/${name}` }),
  };
  const [secrets, key] = [store.collection(SECRETS), secretKey(resource, user)];
  secrets.put(key, { ...secrets.get(key), ...secret });
}

/** Forgets the credentials of a deleted user, or of all that are deleted. */
export function dropSecrets(store: Store, users: string, deleted: string | undefined): void {
  const [secrets, left] = [store.collection(SECRETS), store.collection(users)];
  const keys = deleted === undefined ? [...secrets.values()].map(({ user }) => String(user)) : [deleted];
  for (const key of keys) if (!left.get(key)) secrets.delete(`${users}/${key}`);
}

/** Moves the credentials of a user who got another key. */
export function moveSecret(store: Store, resource: Resource, before: Entity, after: Entity): void {
  const secrets = store.collection(SECRETS);
  const secret = secrets.get(secretKey(resource, before));
  if (!secret) return;
  secrets.delete(secretKey(resource, before));
  secrets.put(secretKey(resource, after), { ...secret, user: keyOf(resource, after) });
}

function secretKey(resource: Resource, user: Entity): string {
  return `${resource.name}/${keyOf(resource, user)}`;
}

import { Problem } from '../../base/problem.ts';
import { isIdentity, type Resource } from '../../model/resources/resources.ts';
import type { Entity } from '../store/store.ts';
import { putEntity, putRequested, readBodyObject, toNewEntity } from './change.ts';
import type { ActionContext } from './context.ts';
import { findUser, type Login, readLogin, remember } from './identity.ts';
import { omit } from './json-object.ts';

/**
 * Stores the user of a valid request, who can log in from then on. If the name is taken, updates that user, or throws a 409
 * Problem in strict mode and where the document declares one.
 */
export function putUser(context: ActionContext): Entity {
  const { spec, store } = context;
  const { resource } = spec;
  const login = readLogin(context.input.body);
  const { member, name, password } = login;
  const known = name === undefined || password === undefined ? undefined : findUser(store, resource, name);
  if (known && (spec.declaresConflict || context.callers.isStrict))
    throw nameTaken(resource, `${member} ${name}`, member);
  const user = known
    ? putEntity(context, { ...known, ...omit(readBodyObject(context), spec.serverProperties) })
    : putRequested(context, toNewEntity(context));
  remember(store, resource, user, login);
  return user;
}

/** Stores the new password of a changed entity, if such entities sign in. */
export function withPassword({ spec, store, input }: ActionContext, entity: Entity): Entity {
  const { password } = spec.isUser ? readLogin(input.body) : {};
  if (password !== undefined) remember(store, spec.resource, entity, { password });
  return entity;
}

function nameTaken({ singular }: Resource, named: string, member = 'name'): Problem {
  const message = `There is a ${singular} with the ${named} already. Choose another ${member}, or log in.`;
  return new Problem(409, `${singular}_exists`, message);
}

/** Creates the user of a login who was never registered; any user if the login names none. */
export function putUnknownUser(context: ActionContext, login: Partial<Login>): Entity {
  const { name } = login;
  const property = name === undefined ? undefined : findNameProperty(context, name, login.member);
  const given: Entity = property === undefined ? {} : { [property]: name };
  const user = putRequested(context, toNewEntity(context, given));
  remember(context.store, context.spec.resource, user, login);
  return user;
}

/** Finds the property for the name of a user: the e-mail address if it looks like one, else the property that the login uses. */
function findNameProperty(
  { spec, schemas }: ActionContext,
  name: string,
  member: string | undefined,
): string | undefined {
  const { properties, schema } = spec.resource;
  const canHold = (property: string) => schemas.check(schema.at([property]), name, '').length === 0;
  const names = properties.filter((property) => isIdentity(property) && canHold(property));
  const mail = name.includes('@') ? names.find((each) => /mail/i.test(each)) : undefined;
  return mail ?? names.find((each) => each === member) ?? names[0];
}

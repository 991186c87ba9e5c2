import type { SchemaNode } from '../../schema/schema.ts';
import { findUserShape, hasIdentity, isIdentity, isPassword } from './account-names.ts';
import { type AccountRole, findAccountRole, isAuthPath, isOwnPath } from './account-paths.ts';
import { answerSchema, answersObject, bodySchema, isListOrOpen } from './answers.ts';
import type { ResourceCandidate } from './candidates.ts';
import { findKey, type Key } from './keys.ts';
import type { Resource, ResourceAction } from './model.ts';
import { lastWord, parseItemPath } from './paths.ts';
import type { PlacedOperation } from './placed-operation.ts';

import { isSameSchema } from './same-schema.ts';
import { isObjectSchema, isOpenSchema, withoutEnvelope } from './shapes.ts';
import { toSingular } from './words.ts';

/** The operations by which some users sign in, and the candidate of those users. */
export interface Account {
  readonly users: ResourceCandidate;
  readonly members: readonly AccountMember[];
}

interface AccountMember {
  readonly operation: PlacedOperation;
  readonly role: AccountRole;
}

/**
 * Infers which entities sign in. Users are the candidate whose entities the operations show, else the one called users, else a resource
 * of their own. A document may have several kinds of users, each with a login under its own path.
 */
export function inferAccounts(
  operations: readonly PlacedOperation[],
  candidates: readonly ResourceCandidate[],
): Account[] {
  const members = findAccountMembers(operations, candidates);
  const groups = groupByLogin(members);
  return groups.flatMap((group) => {
    const users = findUsers(group, candidates) ?? deriveUsers(group, groups.length === 1 ? operations : []);
    return users ? [{ users, members: group }] : [];
  });
}

function findAccountMembers(
  operations: readonly PlacedOperation[],
  candidates: readonly ResourceCandidate[],
): AccountMember[] {
  const keyed = candidates.filter(({ key }) => key);
  const collections = new Set(keyed.map(({ collectionPath }) => collectionPath));
  const free = operations.filter(({ path }) => !collections.has(path));
  const clear = free.flatMap((operation) => {
    const role = findAccountRole(operation);
    return role === undefined ? [] : [{ operation, role }];
  });
  const signsIn = clear.some(({ role }) => role === 'login' || role === 'register');
  const showsUser = (operation: PlacedOperation) => {
    const shown = findUserShape(answerSchema(operation))?.schema;
    return shown !== undefined && keyed.some(({ schema }) => isSameSchema(schema, shown));
  };
  const known = new Set(clear.map(({ operation }) => operation));
  const own = free.filter((operation) => !known.has(operation) && isOwnPath(operation));
  const shown = own.filter(
    (operation) =>
      operation.method === 'GET' && answersObject(operation) && (signsIn || showsUser(operation)),
  );
  const paths = new Set(shown.map(({ path }) => path));
  const others = own.flatMap((operation): AccountMember[] =>
    paths.has(operation.path) ? [{ operation, role: operation.method === 'POST' ? 'register' : 'me' }] : [],
  );
  return withoutForeign([...clear, ...others]);
}

/** Leaves out `/customers/me` beside `/auth/me`: a different kind of user, without a login in the document. */
function withoutForeign(members: readonly AccountMember[]): AccountMember[] {
  const folders = new Set(
    members.flatMap(({ role, operation }) => (role === 'me' ? [] : [folderOf(operation)])),
  );
  const isForeign = ({ role, operation }: AccountMember) =>
    role === 'me' && !isAuthPath(operation) && !folders.has(folderOf(operation));
  const hasOwn = members.some((each) => each.role === 'me' && !isForeign(each));
  return members.filter((each) => !(hasOwn && isForeign(each)));
}

function folderOf({ path }: PlacedOperation): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** Groups operations by the login that shares the most words with their path, if several logins have their own users. */
function groupByLogin(members: readonly AccountMember[]): AccountMember[][] {
  const logins = members.filter(({ role }) => role === 'login');
  const showing = members.filter(({ role }) => role === 'register' || role === 'me');
  const leading = new Set(showing.map((each) => nearest(each, logins)));
  const heads = logins.filter((login) => leading.has(login));
  if (heads.length <= 1) return members.length === 0 ? [] : [[...members]];
  return heads.map((head) => members.filter((each) => nearest(each, heads) === head));
}

/** Finds the login whose path shares the most words with that of an operation. */
function nearest(member: AccountMember, logins: readonly AccountMember[]): AccountMember | undefined {
  const shared = (login: AccountMember) => countShared(login.operation.path, member.operation.path);
  const [first, ...others] = logins;
  return first && others.reduce((best, login) => (shared(login) > shared(best) ? login : best), first);
}

function countShared(one: string, other: string): number {
  const [words, others] = [one.split('/'), other.split('/')];
  const at = words.findIndex((word, index) => word !== others[index]);
  return at < 0 ? words.length : at;
}

/** Finds the candidate whose entities are the users. */
function findUsers(
  members: readonly AccountMember[],
  candidates: readonly ResourceCandidate[],
): ResourceCandidate | undefined {
  const able = candidates.filter(({ key, collectionPath }) => key && !collectionPath.includes('{'));
  const shown = shownBy(members);
  const same = shown.flatMap((schema) => able.filter((each) => isSameSchema(each.schema, schema)));
  if (same[0]) return same[0];
  const above = new Set(members.map(({ operation }) => folderOf(operation)));
  const named = able.filter(
    ({ singular, collectionPath, schema }) =>
      (singular === 'user' || above.has(collectionPath)) && (hasIdentity(schema) || shown.length === 0),
  );
  const nearness = ({ collectionPath }: ResourceCandidate) =>
    Math.max(...members.map(({ operation }) => countShared(operation.path, collectionPath)));
  return named.sort((one, other) => nearness(other) - nearness(one))[0];
}

const SHOWING: readonly AccountRole[] = ['me', 'register', 'login'];

/** The schemas of users in the answers, the likeliest first. */
function shownBy(members: readonly AccountMember[]): SchemaNode[] {
  return inOrder(members).flatMap(({ operation, role }) => {
    const answer = answerSchema(operation);
    const shape = findUserShape(answer);
    if (shape && (shape.path.length > 0 || role !== 'login')) return [shape.schema];
    if (role !== 'me' || !answer || !isObjectSchema(answer)) return [];
    const inner = withoutEnvelope(answer, 'user');
    return inner.sharedProperties.size > 0 ? [inner] : [];
  });
}

/** The operations that may show or take a user, the likeliest first. */
function inOrder(members: readonly AccountMember[]): AccountMember[] {
  return SHOWING.flatMap((role) => members.filter((each) => each.role === role));
}

/** Derives users that no candidate has. If there is only one kind of user, `operations` has those that may list them. */
function deriveUsers(
  members: readonly AccountMember[],
  operations: readonly PlacedOperation[],
): ResourceCandidate | undefined {
  const showing = inOrder(members).map(({ operation }) => operation);
  const [first] = showing;
  const [shown] = shownBy(members);
  const source = shown ?? findTaken(showing);
  const isWritten = members.some(({ role, operation }) => role !== 'me' || operation.method !== 'GET');
  if (!first || !source || !isWritten) return undefined;
  const place = findUsersPlace(operations);
  const { method, declared, path } = first;
  return {
    ...(operations.length === 0 && { name: `${lastWord(folderOf(first)) ?? 'users'}.users` }),
    word: 'users',
    singular: 'user',
    collectionPath: path,
    itemPath: undefined,
    ...place,
    ...deriveUserSchema(source, shown !== undefined, place?.parameter),
    reason: `${method} ${declared.path} is for users, and no operation on a collection creates them`,
  };
}

/** Finds the schema of the users that a body describes; that of any object if bodies are open. */
function findTaken(operations: readonly PlacedOperation[]): SchemaNode | undefined {
  const bodies = operations.flatMap((operation) => bodySchema(operation) ?? []);
  return bodies.flatMap((body) => findUserShape(body) ?? [])[0]?.schema ?? bodies.find(isOpenSchema);
}

/** The paths of a collection of users, and of its items. */
function findUsersPlace(operations: readonly PlacedOperation[]) {
  const isUsers = (path: string) => !path.includes('{') && toSingular(lastWord(path) ?? '') === 'user';
  const items = operations.flatMap(({ path }) => {
    const { collectionPath, parameter } = parseItemPath(path) ?? { collectionPath: '' };
    return isUsers(collectionPath) ? [{ collectionPath, itemPath: path, parameter }] : [];
  });
  const lists = operations.filter(
    (each) => each.method === 'GET' && isUsers(each.path) && isListOrOpen(each),
  );
  return items[0] ?? lists.map(({ path }) => ({ collectionPath: path, parameter: undefined }))[0];
}

/** Derives the schema of users. It has a password only if an answer shows one. Names can change, so none of them is the key. */
function deriveUserSchema(
  source: SchemaNode,
  isShown: boolean,
  parameter: string | undefined,
): Pick<ResourceCandidate, 'key' | 'schema'> {
  const members = [...source.sharedProperties].filter(([name]) => isShown || !isPassword(name));
  const usual = Object.entries(USUAL).map(([name, definition]) => [name, source.derive(definition)] as const);
  const properties = new Map(isOpenSchema(source) ? usual : members);
  const found = findKey(properties, 'user', parameter);
  const key: Key =
    found && !isIdentity(found.property)
      ? found
      : {
          property: 'id',
          parameter: parameter ?? 'id',
          type: 'integer',
          schema: source.derive({ type: 'integer' }),
        };
  const all = [[key.property, key.schema] as const, ...properties];
  const required = [key.property, ...source.required.filter((name) => properties.has(name))];
  const schema = source.derive({
    type: 'object',
    properties: Object.fromEntries(all.map(([name, { definition }]) => [name, definition])),
    required: [...new Set(required)],
  });
  return { key, schema };
}

/** The properties of users that the document does not describe. */
const USUAL = { name: { type: 'string' }, email: { type: 'string', format: 'email' } };

/** The action of an operation on the users who sign in. */
export function toAccountAction({ operation, role }: AccountMember, resource: Resource): ResourceAction {
  const base = { resource, key: undefined, parents: [], within: [] };
  if (role === 'register') return { ...base, name: 'create' };
  if (role !== 'me') return { ...base, name: role };
  return { ...base, name: ME_ACTIONS[operation.method] ?? 'read', key: 'token' };
}

const ME_ACTIONS: Readonly<Record<string, 'read' | 'replace' | 'update' | 'remove'>> = {
  GET: 'read',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'remove',
};

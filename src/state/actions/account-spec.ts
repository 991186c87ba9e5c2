import type { Operation } from '../../model/operations/operations.ts';
import type { ResourceAction, TokenKind } from '../../model/resources/resources.ts';
import {
  answerSchema,
  findUserShape,
  isOpenAnswer,
  listMembers,
  toSnake,
  toTokenKind,
} from '../../model/resources/resources.ts';
import type { SchemaNode } from '../../schema/schema.ts';
import type { Entity } from '../store/store.ts';
import { isJsonObject, pick, withMember } from './json-object.ts';
import { LIFETIMES } from './json-web-token.ts';
import { buildOpenView, buildView, mergeValid, type View, type ViewParts } from './view.ts';

/** The place of a token in an answer; empty where the token is the whole answer. */
export interface TokenPlace {
  readonly path: readonly string[];
  readonly kind: TokenKind;
  readonly schema: SchemaNode;
}

/** The answer of an operation by which users sign in or show themselves. */
export interface AccountSpec {
  /** The tokens in it. A login issues them; any other operation repeats the token of the request. */
  readonly tokens: readonly TokenPlace[];
  /** Writes the body with a user and without tokens; `undefined` where the answer has no body. */
  readonly toBody: View;
}

/** Builds the spec of an answer with a status. `toPlainBody` writes a body without tokens. */
export function buildAccountSpec(
  parts: ViewParts,
  operation: Operation,
  action: ResourceAction,
  status: number,
  toPlainBody: View,
): AccountSpec {
  const isLogin = action.name === 'login' || action.name === 'refresh';
  const schema = answerSchema(operation, status);
  if (isOpenAnswer(operation, status))
    return isLogin ? toOpenAnswer(action) : { tokens: [], toBody: toPlainBody };
  if (!schema) return { tokens: [], toBody: toPlainBody };
  const tokens = findTokens(schema, isLogin);
  const write = buildWrite(parts, operation, action, schema);
  return { tokens, toBody: (user, locate) => write(user) ?? toPlainBody(user, locate) };
}

/** The answer where the document leaves it open: tokens under the names of OAuth (RFC 6749 section 5.1), and the user. */
function toOpenAnswer({ resource, name }: ResourceAction): AccountSpec {
  const view = buildOpenView(resource);
  const schema = resource.schema.derive({ type: 'string' });
  const facts = { access_token: '', token_type: 'bearer', expires_in: LIFETIMES.access };
  return {
    tokens: [{ path: ['access_token'], kind: 'access', schema }],
    toBody: (user) => (name === 'login' ? { ...facts, user: view(user) } : facts),
  };
}

function findTokens(schema: SchemaNode, isLogin: boolean): TokenPlace[] {
  const isText = ({ types }: SchemaNode) => types.length === 0 || types.includes('string');
  if (isLogin && schema.types.length > 0 && isText(schema)) return [{ path: [], kind: 'access', schema }];
  return listMembers(schema).flatMap(({ path, schema: member }) => {
    const kind = toTokenKind(path.at(-1) ?? '');
    return kind && isText(member) ? [{ path, kind, schema: member }] : [];
  });
}

/** Builds the function that writes a user into an answer. It returns `undefined` unless the answer is an object. */
function buildWrite(
  parts: ViewParts,
  operation: Operation,
  { resource }: ResourceAction,
  schema: SchemaNode,
): (user: Entity) => unknown {
  const shape = findUserShape(schema);
  const isValid = (value: unknown) => parts.schemas.check(schema, value, '').length === 0;
  const facts = listMembers(schema).flatMap((leaf) => {
    const value = FACTS[toSnake(leaf.path.at(-1) ?? '')]?.find(
      (each) => parts.schemas.check(leaf.schema, each, '').length === 0,
    );
    return value === undefined ? [] : [{ path: leaf.path, value }];
  });
  const view = shape && buildView(parts, resource, shape.schema);
  const base = parts.generate(schema, `${operation.label} around`);
  const around = facts.reduce((value, fact) => setMember(value, fact.path, fact.value), base);
  return (user) => {
    if (!isJsonObject(around)) return undefined;
    if (shape && view) return withMember(around, shape.path, view(user));
    return mergeValid(around, pick(user, schema.sharedProperties), isValid);
  };
}

/** Values for the members beside a token. The first one that the schema allows is used. */
const FACTS: Readonly<Record<string, readonly unknown[]>> = {
  token_type: ['bearer', 'Bearer'],
  expires_in: [LIFETIMES.access, String(LIFETIMES.access)],
  refresh_expires_in: [LIFETIMES.refresh],
};

/** Sets a member at a path, if the value has the object that holds it. */
export function setMember(value: unknown, path: readonly string[], member: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return member;
  if (!isJsonObject(value)) return value;
  return { ...value, [name]: setMember(value[name], rest, member) };
}

import type { SchemaNode } from '../../schema/schema.ts';
import { isPassword, listMembers, toTokenKind } from './account-names.ts';
import { answerSchema, answersObject, bodySchema, isOpenAnswer } from './answers.ts';
import type { PlacedOperation } from './placed-operation.ts';

import { toSnake } from './snake-case.ts';

/** The role of an operation in signing in. `me` shows or changes the user of the request. */
export type AccountRole = 'register' | 'login' | 'refresh' | 'logout' | 'me';

interface AccountRule {
  readonly role: AccountRole;
  readonly methods: readonly string[];
  /** The last word of the path in snake_case. */
  readonly word: RegExp;
  /** The word before it. */
  readonly above?: RegExp;
  readonly fits?: (operation: PlacedOperation) => boolean;
}

const AUTH = /^(auth|authentication|oauth2?|jwt|tokens?|sessions?|users?|accounts?|identity|api|v\d+|)$/;
const LOGIN = /^((user|admin|account)_)?(log_?in|sign_?in)$/;

/** The rules in their order. The first that fits decides the role. */
const ACCOUNT_RULES: readonly AccountRule[] = [
  { role: 'login', methods: ['POST', 'GET'], word: LOGIN, fits: takesCredentials },
  { role: 'login', methods: ['POST'], word: /^authenticate$/, fits: takesPassword },
  { role: 'login', methods: ['POST'], word: /token|^(jwt|json)$/, above: LOGIN, fits: takesPassword },
  {
    role: 'login',
    methods: ['POST'],
    word: /^(auth|authentication|authorize|(access_)?tokens?|jwt|sessions?|obtain(_token)?)$/,
    above: AUTH,
    fits: takesPassword,
  },
  {
    role: 'refresh',
    methods: ['POST', 'GET'],
    word: /^(refresh|renew)$|^(refresh|renew)_(access_)?(token|jwt|session)$|^(token|jwt)_refresh$/,
    above: AUTH,
    fits: answersToken,
  },
  {
    role: 'logout',
    methods: ['POST', 'GET', 'DELETE'],
    word: /^((user|admin)_)?(log_?out|sign_?out)(_all)?$/,
  },
  {
    role: 'register',
    methods: ['POST'],
    word: /^(register|registration|sign_?up|create_account)(_user)?$|^(user|account)_(register|registration)$/,
  },
  {
    role: 'register',
    methods: ['POST'],
    word: /^(users?|accounts?|members?|customers?)$/,
    fits: takesPassword,
  },
  {
    role: 'me',
    methods: ['GET', 'PUT', 'PATCH', 'DELETE'],
    word: /^(me|who_?am_?i|myself|(get_)?current_(user|account)|logged_?in_user)$/,
    fits: isAboutOne,
  },
  {
    role: 'me',
    methods: ['GET', 'PUT', 'PATCH', 'DELETE'],
    word: /^(current|self|profile|my_profile)$/,
    above: /^(auth|users?|accounts?|me)$/,
    fits: isAboutOne,
  },
];

/** Words that mean the current user, but only where users sign in. */
const OWN = /^(user|profile|account|my_(profile|account))$/;

/** Finds the role of an operation in signing in by the words of its path; `undefined` if it has none. */
export function findAccountRole(operation: PlacedOperation): AccountRole | undefined {
  const words = wordsOf(operation);
  if (!words) return undefined;
  const [word, above] = words;
  return ACCOUNT_RULES.find(
    (rule) =>
      rule.methods.includes(operation.method) &&
      rule.word.test(word) &&
      (rule.above?.test(above) ?? true) &&
      (rule.fits?.(operation) ?? true),
  )?.role;
}

/** Whether the path of an operation names one thing that belongs to the current user, provided that users sign in. */
export function isOwnPath(operation: PlacedOperation): boolean {
  const [word = ''] = wordsOf(operation) ?? [];
  return OWN.test(word);
}

/** Whether the word before the last one of a path is about signing in, or about users. */
export function isAuthPath(operation: PlacedOperation): boolean {
  const [, above = ''] = wordsOf(operation) ?? [];
  return AUTH.test(above);
}

/** The last word of a path and the one before it, in snake_case; `undefined` for a path with parameters. */
function wordsOf({ path, declared }: PlacedOperation): [word: string, above: string] | undefined {
  if (path.includes('{') || declared.path.includes('{')) return undefined;
  const words = path.split(/[/.:]/).filter((word) => word !== '');
  return [toSnake(words.at(-1) ?? ''), toSnake(words.at(-2) ?? '')];
}

/** Whether an operation takes credentials. A GET that logs in has them in the query. */
function takesCredentials(operation: PlacedOperation): boolean {
  if (operation.method !== 'GET') return true;
  return operation.outline.parameters().some(({ in: place, name }) => place === 'query' && isPassword(name));
}

function takesPassword(operation: PlacedOperation): boolean {
  const body = bodySchema(operation);
  return body !== undefined && listMembers(body).some(({ path }) => isPassword(path.at(-1) ?? ''));
}

function answersToken(operation: PlacedOperation): boolean {
  const answer = answerSchema(operation);
  if (isOpenAnswer(operation)) return true;
  return answer !== undefined && listMembers(answer).some(({ path }) => toTokenKind(path.at(-1) ?? ''));
}

/** Whether an operation shows or takes one object, as far as the document declares one. */
function isAboutOne(operation: PlacedOperation): boolean {
  const body: SchemaNode | undefined = bodySchema(operation);
  const types = body?.types ?? [];
  return operation.method === 'GET'
    ? answersObject(operation)
    : types.length === 0 || types.includes('object');
}

import { LIMITS } from '../../base/limits.ts';
import type { TokenKind } from '../../model/resources/resources.ts';
import type { Entity, Store } from '../store/store.ts';
import { LIFETIMES, readJsonWebToken, toJsonWebToken, toSubject } from './json-web-token.ts';

/** The collection of logins, by number. The slash prevents a clash with resources, whose names are words of paths. */
export const LOGINS = '/logins';

/** The collection of the tokens that cannot be JSON Web Tokens, by their text. A JSON Web Token names its login itself. */
export const TOKENS = '/tokens';

/** The record of a login in a session. */
interface Login {
  readonly number: number;
  /** The resource of its user. */
  readonly users: string;
  /** The key of its user. */
  readonly user: string;
  /** The former key of a user who got another one, which the tokens still name. */
  readonly subject?: string;
  /** In seconds since the epoch. */
  readonly issued: number;
  /** Whether it issued a token to refresh it. */
  readonly refreshes?: true;
  /** The reason if it ended before its time. */
  readonly end?: 'logout' | 'deletion';
}

/** A token that a login issued. */
export interface IssuedToken extends Pick<Login, 'users' | 'user'> {
  /** The number of the login. */
  readonly login: number;
  /** The reason if it has ended. */
  readonly end: 'logout' | 'deletion' | 'expiry' | undefined;
  /** The time from which it is no longer valid, in milliseconds since the epoch. */
  readonly expires: number;
}

interface OtherToken {
  readonly text: string;
  readonly login: number;
  readonly kind: TokenKind;
}

/** Finds the issued token with a text. */
export function findToken(store: Store, text: string): IssuedToken | undefined {
  const claims = readJsonWebToken(text);
  const named = claims ?? (store.collection(TOKENS).get(text) as OtherToken | undefined);
  if (!named) return undefined;
  const logins = store.collection(LOGINS);
  const { login: number, kind } = named;
  const login = logins.get(String(number)) as Login | undefined;
  if (login) return isOf(login, claims) ? toIssued(login, kind) : undefined;
  // A session forgets only expired logins, so a number that it gave out and no longer has means one of those.
  const isForgotten = claims !== undefined && number < logins.nextKey();
  const expires = toExpiry(claims?.issued ?? 0, kind);
  return isForgotten ? { users: '', user: '', login: number, end: 'expiry', expires } : undefined;
}

/** Whether a login of this session issued a token, and not the login of that number in another one. */
function isOf({ user, subject = user, issued }: Login, claims: ReturnType<typeof readJsonWebToken>): boolean {
  return !claims || (claims.subject === toSubject(subject) && claims.issued === issued);
}

function toIssued({ number, users, user, issued, end }: Login, kind: TokenKind): IssuedToken {
  return { users, user, login: number, end, expires: toExpiry(issued, kind) };
}

function toExpiry(issued: number, kind: TokenKind): number {
  return (issued + LIFETIMES[kind]) * 1000;
}

/** The owner and the purpose of a token. */
interface TokenOrder extends Pick<IssuedToken, 'users' | 'user' | 'login'> {
  readonly kind: TokenKind;
  /** In milliseconds since the epoch. */
  readonly now: number;
}

/** The possible texts of a token: a JSON Web Token if the schema allows one, else a text made from a number. */
interface TokenForms {
  isValid(text: string): boolean;
  toOther(serial: number): unknown;
}

/** Returns the number of a new login. */
export function nextLogin(store: Store): number {
  return store.collection(LOGINS).serial();
}

/** Issues a token, and returns its text. */
export function issueToken(store: Store, order: TokenOrder, { isValid, toOther }: TokenForms): string {
  const { user, login, kind, now } = order;
  const issued = Math.floor(now / 1000);
  putLogin(store, order, issued);
  const jwt = toJsonWebToken({ subject: toSubject(user), login, kind, issued });
  if (isValid(jwt)) return jwt;
  const tokens = store.collection(TOKENS);
  const other = toOther(tokens.serial());
  if (other === undefined) return jwt;
  const token: OtherToken = { text: String(other), login, kind };
  tokens.put(token.text, token as Entity & OtherToken);
  return token.text;
}

function putLogin(store: Store, { users, user, login, kind, now }: TokenOrder, issued: number): void {
  const logins = store.collection(LOGINS);
  const known = logins.get(String(login));
  if (known && kind !== 'refresh') return;
  put(store, {
    ...{ number: login, users, user, issued },
    ...(kind === 'refresh' && { refreshes: true }),
  });
  if (logins.size > LIMITS.logins.value) drop(store, toLogins(logins.all().slice(0, 2)), now);
}

/** Revokes a token and the others of its login. */
export function revokeToken(store: Store, { login }: IssuedToken): void {
  const known = store.collection(LOGINS).get(String(login));
  if (known) put(store, { ...(known as Entity & Login), end: 'logout' });
}

/** Ends the tokens of users that the store no longer has. */
export function endTokens(store: Store, users: string): void {
  const left = store.collection(users);
  for (const login of findLogins(store, users))
    if (login.end === undefined && !left.get(login.user)) put(store, { ...login, end: 'deletion' });
}

/** Removes the expired logins. Looks only where logins are in use, because reading the collection would create it. */
export function dropExpiredTokens(store: Store, now: number): void {
  if (store.used.includes(LOGINS)) drop(store, toLogins([...store.collection(LOGINS).values()]), now);
}

/** Moves the tokens of a user who got another key. */
export function moveTokens(store: Store, users: string, from: string, to: string): void {
  for (const login of findLogins(store, users))
    if (login.user === from) put(store, { ...login, user: to, subject: login.subject ?? from });
}

function drop(store: Store, logins: readonly Login[], now: number): void {
  for (const { number, issued, refreshes } of logins) {
    if (toExpiry(issued, refreshes ? 'refresh' : 'access') > now) continue;
    store.collection(LOGINS).delete(String(number));
    const tokens = store.collection(TOKENS);
    for (const { text } of tokens.where('login', number)) tokens.delete(String(text));
  }
}

function findLogins(store: Store, users: string): Login[] {
  return toLogins([...store.collection(LOGINS).values()]).filter((login) => login.users === users);
}

function put(store: Store, login: Login): void {
  store.collection(LOGINS).put(String(login.number), login as Entity & Login);
}

function toLogins(entities: readonly Entity[]): readonly Login[] {
  return entities as readonly (Entity & Login)[];
}

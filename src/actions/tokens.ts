import { createHmac } from 'node:crypto';
import type { TokenKind } from '../resources/resources.ts';
import type { Entity, Store } from '../store/store.ts';

/** The collection of issued tokens, by their text. The slash prevents a clash with resources, whose names are words of paths. */
export const TOKENS = '/tokens';

/** A token that a login issued. */
export interface IssuedToken {
  readonly text: string;
  /** The resource of its user. */
  readonly users: string;
  /** The key of its user. */
  readonly user: string;
  /** The number of the login, the same for all of its tokens. */
  readonly login: number;
  readonly isRevoked: boolean;
  /** The time from which it is no longer valid, in milliseconds since the epoch. */
  readonly expires: number;
}

/** Finds the issued token with a text. */
export function findToken(store: Store, text: string): IssuedToken | undefined {
  return store.collection(TOKENS).get(text) as IssuedToken | undefined;
}

/** The owner and the purpose of a token. */
interface TokenClaims extends Pick<IssuedToken, 'users' | 'user' | 'login'> {
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
  return store.collection(TOKENS).serial();
}

/** Issues a token, and returns its text. */
export function issueToken(store: Store, claims: TokenClaims, { isValid, toOther }: TokenForms): string {
  const { users, user, login, kind, now } = claims;
  const tokens = store.collection(TOKENS);
  const serial = tokens.serial();
  const jwt = toJsonWebToken(claims, serial);
  const text = isValid(jwt) ? jwt : String(toOther(serial) ?? jwt);
  const expires = now + LIFETIMES[kind] * 1000;
  const issued: IssuedToken = { text, users, user, login, isRevoked: false, expires };
  tokens.put(text, issued as Entity & IssuedToken);
  return text;
}

/** Revokes a token and the others of its login. */
export function revokeToken(store: Store, { login }: IssuedToken): void {
  const tokens = store.collection(TOKENS);
  for (const token of tokens.where('login', login))
    tokens.put(String(token.text), { ...token, isRevoked: true });
}

/** Moves the tokens of a user who got another key. */
export function moveTokens(store: Store, users: string, from: string, to: string): void {
  const tokens = store.collection(TOKENS);
  const moved = tokens.where('user', from).filter((token) => token.users === users);
  for (const token of moved) tokens.put(String(token.text), { ...token, user: to });
}

/** The lifetime in seconds that tokens announce. */
export const LIFETIMES: Readonly<Record<TokenKind, number>> = { access: 3600, refresh: 30 * 24 * 3600 };

/** Signed with a known secret (RFC 7519, HS256), so that a program that verifies tokens can verify these. */
const SECRET = 'petstore-mock';

/** The token of a user with a longer key would not fit into a header. */
const MOST_SUBJECT = 100;

function toJsonWebToken({ user, kind, now }: TokenClaims, serial: number): string {
  const iat = Math.floor(now / 1000);
  const claims = {
    sub: user.slice(0, MOST_SUBJECT),
    ...(kind === 'refresh' && { type: kind }),
    iat,
    exp: iat + LIFETIMES[kind],
    jti: String(serial),
  };
  const encoded = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const signed = encoded.join('.');
  return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
}

import { createHmac } from 'node:crypto';
import { createCache } from '../../base/cache.ts';
import type { TokenKind } from '../../model/resources/resources.ts';
import { fromBase64Url, toBase64Url } from './base64url.ts';

/** The claims of a token that a mock issued. */
interface TokenClaims {
  /** The key of the user, as `toSubject` shortens it. */
  readonly subject: string;
  /** The number of the login. */
  readonly login: number;
  readonly kind: TokenKind;
  /** In seconds since the epoch. */
  readonly issued: number;
}

/** The lifetime in seconds that tokens announce. */
export const LIFETIMES: Readonly<Record<TokenKind, number>> = { access: 3600, refresh: 30 * 24 * 3600 };

/** The token of a user with a longer key would not fit into a header. */
const MOST_SUBJECT = 100;

export function toSubject(user: string): string {
  return user.slice(0, MOST_SUBJECT);
}

/** Writes claims as a JSON Web Token. Equal claims make the same text. */
export function toJsonWebToken({ subject, login, kind, issued }: TokenClaims): string {
  const claims = {
    sub: subject,
    ...(kind === 'refresh' && { type: kind }),
    iat: issued,
    exp: issued + LIFETIMES[kind],
    jti: `${login}-${kind}`,
  };
  const signed = `${HEAD}.${encode(claims)}`;
  return `${signed}.${toBase64Url(createHmac('sha256', SECRET).update(signed).digest())}`;
}

/** Reads the claims of a text that `toJsonWebToken` wrote; `undefined` for any other. */
export function readJsonWebToken(text: string): TokenClaims | undefined {
  if (!text.startsWith(HEAD)) return undefined;
  const known = read.get(text);
  if (known) return known;
  const claims = decode(text.split('.')[1] ?? '');
  if (!claims || toJsonWebToken(claims) !== text) return undefined;
  read.set(text, claims, text.length);
  return claims;
}

/** Claims follow from their text alone, so all mocks share them. A signature costs more than the rest of most requests. */
const read = createCache<TokenClaims>({ entries: 256, bytes: 128 * 1024 });

function decode(encoded: string): TokenClaims | undefined {
  try {
    const { sub, type, iat, jti } = JSON.parse(fromBase64Url(encoded));
    const kind = type === 'refresh' ? type : 'access';
    return { subject: String(sub), login: Number.parseInt(jti, 10), kind, issued: Number(iat) };
  } catch {
    return undefined;
  }
}

function encode(part: object): string {
  return toBase64Url(JSON.stringify(part));
}

const HEAD = encode({ alg: 'HS256', typ: 'JWT' });

/** Signed with a known secret (RFC 7519, HS256), so that a program that verifies tokens can verify these. */
const SECRET = 'petstore-mock';

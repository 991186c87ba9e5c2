import type { Requirements } from '../../document/document.ts';
import { type Caller, type ReadCaller, toCookiePairs } from '../../model/operations/operations.ts';
import type { MockRequest } from '../../wire/message/message.ts';
import { type ApiKey, AUTHORIZATION, readApiKey } from './credentials.ts';

/** Builds the reader for a document: the Authorization header first, then the declared API keys, then customary cookies. */
export function buildReadCaller(declared: ReadonlyMap<string, Requirements>): ReadCaller {
  const schemes = [...new Set(declared.values())].flat(2);
  const keys = new Map(
    schemes.flatMap((scheme) => (scheme.type === 'apiKey' ? [[`${scheme.in} ${scheme.name}`, scheme]] : [])),
  );
  return (request) =>
    readAuthorization(request) ?? readKeys(request, [...keys.values()]) ?? readCookie(request);
}

/** The names of the cookies that a document declares as credentials. */
export function toCookieNames(declared: ReadonlyMap<string, Requirements>): string[] {
  const schemes = [...new Set(declared.values())].flat(2);
  return [
    ...new Set(
      schemes.flatMap((each) => (each.type === 'apiKey' && each.in === 'cookie' ? [each.name] : [])),
    ),
  ];
}

function readAuthorization({ headers: { authorization } }: MockRequest): Caller | undefined {
  if (authorization === undefined || authorization === '') return undefined;
  const [, scheme, value = ''] = AUTHORIZATION.exec(authorization) ?? [];
  if (scheme?.toLowerCase() === 'basic') return readBasic(value);
  // Some clients send a token without a scheme.
  return { token: value === '' ? authorization.trim() : value.trim() };
}

/** Reads the name, which ends at the first colon (RFC 7617 section 2). */
function readBasic(value: string): Caller | undefined {
  const text = Buffer.from(value, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

function readKeys(request: MockRequest, keys: readonly ApiKey[]): Caller | undefined {
  const values = keys.map((key) => readApiKey(key, request));
  const token = values.find((value) => value !== undefined && value !== '');
  return token === undefined ? undefined : { token };
}

const COOKIES = /^(access_?token|token|jwt|auth(_?token)?|sid|session(_?id)?|connect\.sid)$/i;

function readCookie({ headers: { cookie } }: MockRequest): Caller | undefined {
  if (cookie === undefined) return undefined;
  const token = toCookiePairs(cookie).find(([name]) => COOKIES.test(name))?.[1];
  return token === undefined || token === '' ? undefined : { token };
}

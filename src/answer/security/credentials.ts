import type { SecurityScheme } from '../../document/document.ts';
import { toCookiePairs } from '../../model/operations/operations.ts';
import type { MockRequest } from '../../wire/message/message.ts';

/** `foreign` is an Authorization header of another scheme. */
export type Verdict = 'given' | 'malformed' | 'foreign' | 'missing';

/** A credential that a request must carry. */
export interface Credential {
  /** `X-API-Key header` */
  readonly name: string;
  /** `the header X-API-Key` */
  readonly send: string;
  /** Messages by verdict. */
  readonly complaints: Readonly<Partial<Record<Verdict, string>>>;
  judge(request: MockRequest): Verdict;
  challenge(verdict: Verdict): string;
}

/** Decides how to find a scheme's credential in requests. */
export function toCredential(scheme: SecurityScheme): Credential {
  return scheme.type === 'apiKey' ? toApiKeyCredential(scheme) : toHttpCredential(scheme.scheme);
}

/** A scheme with a key in a header, query parameter or cookie. */
export type ApiKey = Extract<SecurityScheme, { type: 'apiKey' }>;

const KEY_PLACES: Readonly<Record<ApiKey['in'], string>> = {
  header: 'header',
  query: 'query parameter',
  cookie: 'cookie',
};

/** Reads the value of an API key from a request; `undefined` where it is missing. */
export function readApiKey({ in: place, name }: ApiKey, { headers, query }: MockRequest): string | undefined {
  if (place === 'query') return new URLSearchParams(query).get(name) ?? undefined;
  if (place === 'cookie') return toCookiePairs(headers.cookie).find(([each]) => each === name)?.[1];
  const known = name.toLowerCase();
  return Object.hasOwn(headers, known) ? headers[known] : undefined;
}

const REALM = 'realm="petstore-mock"';
/** Text that a quoted string holds without escapes (RFC 9110 section 5.6.4). */
const QUOTABLE = /^[ !#-[\]-~]*$/;

function toApiKeyCredential(scheme: ApiKey): Credential {
  const { in: place, name } = scheme;
  const what = `the ${KEY_PLACES[place]} ${name}`;
  // HTTP registers no scheme for API keys; other services use this one.
  const challenge = `ApiKey ${REALM}, in="${place}"${QUOTABLE.test(name) ? `, name="${name}"` : ''}`;
  return {
    name: `${name} ${KEY_PLACES[place]}`,
    send: what,
    complaints: { malformed: `${what} is empty`, missing: `${what} is missing` },
    judge(request) {
      const value = readApiKey(scheme, request);
      if (value === undefined) return 'missing';
      return value.trim() === '' ? 'malformed' : 'given';
    },
    challenge: () => challenge,
  };
}

/** The form of a scheme's credentials. */
interface Form {
  readonly scheme: string;
  /** `token` */
  readonly noun: string;
  /** The placeholder after the scheme in messages. */
  readonly shown: string;
  isRight(value: string): boolean;
  /** The complaint about any other form. */
  readonly wrong: string;
  readonly parameters: string;
  /** Added to the challenge after malformed credentials. */
  readonly error?: string;
}

const SCHEMES: ReadonlyMap<string, Form> = new Map([
  [
    'bearer',
    {
      scheme: 'Bearer',
      noun: 'token',
      shown: '<token>',
      // RFC 6750 section 2.1
      isRight: (value) => /^[\w.~+/-]+=*$/.test(value),
      wrong: 'is not a token (letters, digits and -._~+/, with = only at the end)',
      parameters: REALM,
      // The error code for 401 (section 3.1).
      error: ', error="invalid_token", error_description="The access token is malformed"',
    },
  ],
  [
    'basic',
    {
      scheme: 'Basic',
      noun: 'credentials',
      shown: '<base64 of user:password>',
      isRight: isUserAndPassword,
      wrong: 'is not the base64 of "user:password"',
      parameters: `${REALM}, charset="UTF-8"`,
    },
  ],
  // A client needs a nonce to answer the challenge (RFC 7616 section 3.3).
  [
    'digest',
    { ...toForm('Digest'), parameters: `${REALM}, qop="auth", algorithm=SHA-256, nonce="petstore-mock"` },
  ],
]);

function toForm(scheme: string): Form {
  const shown = '<credentials>';
  return { scheme, noun: 'credentials', shown, isRight: () => true, wrong: 'is missing', parameters: REALM };
}

/** RFC 7617 section 2: a user and a password with a colon in between, neither with control characters. */
function isUserAndPassword(value: string): boolean {
  if (value.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return false;
  const bytes = Buffer.from(value, 'base64');
  return bytes.includes(':') && bytes.every((byte) => byte >= 0x20 && byte !== 0x7f);
}

const HEADER = 'the header Authorization';
/** Matches the scheme of an Authorization header and the credentials after it. */
export const AUTHORIZATION: RegExp = /^([\w!#$%&'*+.^`|~-]+)(?: +(.*))?$/s;

function toHttpCredential(declared: string): Credential {
  const known = declared.toLowerCase();
  const {
    scheme,
    noun,
    shown,
    isRight,
    wrong,
    parameters,
    error = '',
  } = SCHEMES.get(known) ?? toForm(declared.replace(/^[a-z]/, (letter) => letter.toUpperCase()));
  return {
    name: `${scheme} ${noun}`,
    send: `"Authorization: ${scheme} ${shown}"`,
    complaints: {
      malformed: `what follows "${scheme}" in ${HEADER} ${wrong}`,
      foreign: `${HEADER} does not begin with "${scheme} "`,
      missing: `${HEADER} is missing`,
    },
    judge({ headers: { authorization = '' } }) {
      if (authorization === '') return 'missing';
      const [, given, value = ''] = AUTHORIZATION.exec(authorization) ?? [];
      if (given?.toLowerCase() !== known) return 'foreign';
      return value !== '' && isRight(value) ? 'given' : 'malformed';
    },
    challenge: (verdict) => `${scheme} ${parameters}${verdict === 'malformed' ? error : ''}`,
  };
}

import type { SecurityScheme } from '../document/document.ts';
import type { MockRequest } from '../message.ts';
import { toCookiePairs } from '../operations/operations.ts';

/** `foreign` is an Authorization header that is about another scheme. */
export type Verdict = 'given' | 'malformed' | 'foreign' | 'missing';

/** Something that a request must have. */
export interface Credential {
  /** `X-API-Key header` */
  readonly name: string;
  /** `the header X-API-Key` */
  readonly send: string;
  /** What to say of each verdict. */
  readonly complaints: Readonly<Partial<Record<Verdict, string>>>;
  judge(request: MockRequest): Verdict;
  challenge(verdict: Verdict): string;
}

/** How a scheme is looked for in requests. */
export function toCredential(scheme: SecurityScheme): Credential {
  return scheme.type === 'apiKey' ? toKey(scheme) : toAuthorization(scheme.scheme);
}

type ApiKey = Extract<SecurityScheme, { type: 'apiKey' }>;

const KEY_PLACES: Readonly<Record<ApiKey['in'], string>> = {
  header: 'header',
  query: 'query parameter',
  cookie: 'cookie',
};

const KEY_READERS: Readonly<
  Record<ApiKey['in'], (request: MockRequest, name: string) => string | undefined>
> = {
  header: ({ headers }, name) => (Object.hasOwn(headers, name) ? headers[name] : undefined),
  query: ({ query }, name) => new URLSearchParams(query).get(name) ?? undefined,
  cookie: ({ headers }, name) => toCookiePairs(headers.cookie).find(([each]) => each === name)?.[1],
};

const REALM = 'realm="petstore-mock"';
/** What a quoted text may hold as it is (RFC 9110 section 5.6.4). */
const QUOTABLE = /^[ !#-[\]-~]*$/;

function toKey({ in: place, name }: ApiKey): Credential {
  const what = `the ${KEY_PLACES[place]} ${name}`;
  const known = place === 'header' ? name.toLowerCase() : name;
  // HTTP knows no scheme for API keys; this is how services that have them say it.
  const challenge = `ApiKey ${REALM}, in="${place}"${QUOTABLE.test(name) ? `, name="${name}"` : ''}`;
  return {
    name: `${name} ${KEY_PLACES[place]}`,
    send: what,
    complaints: { malformed: `${what} is empty`, missing: `${what} is missing` },
    judge(request) {
      const value = KEY_READERS[place](request, known);
      if (value === undefined) return 'missing';
      return value.trim() === '' ? 'malformed' : 'given';
    },
    challenge: () => challenge,
  };
}

/** How the credentials of a scheme look. */
interface Form {
  readonly scheme: string;
  /** `token` */
  readonly noun: string;
  /** What stands behind the scheme, for people. */
  readonly shown: string;
  isRight(value: string): boolean;
  /** What is to say of anything else. */
  readonly wrong: string;
  readonly parameters: string;
  /** What its challenge adds where the form was wrong. */
  readonly error?: string;
}

const FORMS: ReadonlyMap<string, Form> = new Map([
  [
    'bearer',
    {
      scheme: 'Bearer',
      noun: 'token',
      shown: '<token>',
      // RFC 6750 section 2.1
      isRight: (value) => /^[\w.~+/-]+=*$/.test(value),
      wrong: 'is no token (letters, digits and -._~+/, with = at the end)',
      parameters: REALM,
      // Section 3.1: of its error codes the one that goes with 401.
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
  // Without a nonce no client would have an answer (RFC 7616 section 3.3).
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
  return bytes.includes(COLON) && bytes.every((byte) => byte >= 0x20 && byte !== 0x7f);
}

const COLON = 0x3a;
const HEADER = 'the header Authorization';
const AUTHORIZATION = /^([\w!#$%&'*+.^`|~-]+)(?: +(.*))?$/s;

function toAuthorization(declared: string): Credential {
  const known = declared.toLowerCase();
  const {
    scheme,
    noun,
    shown,
    isRight,
    wrong,
    parameters,
    error = '',
  } = FORMS.get(known) ?? toForm(declared.replace(/^[a-z]/, (letter) => letter.toUpperCase()));
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

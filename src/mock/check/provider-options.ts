import { SetupError } from '../../base/problem.ts';
import { isToken } from '../../wire/message/message.ts';

/** How to reach the provider's own server. */
export interface ProviderOptions {
  /** Its base URL, with the path before those of the document. */
  readonly url: string;
  /** Headers for every question, such as credentials. Nothing of their values is reported. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Ask operations that may change something too. They delete only what they have created. */
  readonly unsafe?: boolean;
  /** Milliseconds that an answer may take. Default: 10,000. */
  readonly timeout?: number;
}

/** A provider, once its options are checked. */
export interface Provider {
  /** Without credentials, and without a slash at the end. */
  readonly base: string;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly unsafe: boolean;
  readonly timeout: number;
}

const TIMEOUT_MS = 10_000;
const LONGEST_TIMEOUT_MS = 600_000;

/** Headers that belong to the connection, so that `fetch` refuses them. */
const OF_CONNECTION =
  /^(connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/;

/** Checks the options. Throws a SetupError, which has nothing of the headers but their names. */
export function readProvider({
  url: given,
  headers = {},
  unsafe = false,
  timeout = TIMEOUT_MS,
}: ProviderOptions): Provider {
  if (!Number.isInteger(timeout) || timeout < 1 || timeout > LONGEST_TIMEOUT_MS)
    throw refuse(`The timeout must be an integer from 1 to ${LONGEST_TIMEOUT_MS} milliseconds.`);
  const { base, authorization } = readUrl(given);
  const named = Object.entries(headers).map(([name, value]) => [readName(name), readValue(name, value)]);
  return {
    base,
    headers: { ...(authorization !== undefined && { authorization }), ...Object.fromEntries(named) },
    unsafe,
    timeout,
  };
}

function readUrl(given: string): { readonly base: string; readonly authorization?: string } {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw refuse('Name the server by its URL, like https://api.example.com/v1.');
  if (url.search !== '' || url.hash !== '')
    throw refuse('Leave query and fragment out of the URL of the server. Send keys in headers.');
  const { username, password } = url;
  const base = `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  if (username === '' && password === '') return { base };
  const pair = [username, password].map(decode).join(':');
  return { base, authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refuse(
      'The name or the password in the URL of the server has a % that encodes nothing. Write it as %25.',
    );
  }
}

function readName(name: string): string {
  const lower = name.toLowerCase();
  if (!isToken(name)) throw refuse('A header needs a name and a value, like "Authorization: Bearer TOKEN".');
  if (OF_CONNECTION.test(lower)) throw refuse(`The header ${name} belongs to the connection. Leave it out.`);
  return lower;
}

function readValue(name: string, value: string): string {
  // Printable characters of latin1 (RFC 9110, section 5.5).
  if (/^[\t -~\u0080-\u00ff]*$/.test(value)) return value.trim();
  throw refuse(`The value of the header ${name} has characters that no header can have.`);
}

function refuse(message: string): SetupError {
  return new SetupError('option-invalid', message, { usage: true });
}

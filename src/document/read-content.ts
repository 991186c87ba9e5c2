import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { toReadError } from '../base/file-mistake.ts';
import { SetupError } from '../base/problem.ts';

const FETCH_TIMEOUT_MS = 10_000;

export function isUrl(location: string): boolean {
  return /^https?:\/\//i.test(location);
}

/** Reads the text of a file, an http(s) URL, or standard input (`-`). Throws a SetupError with the next step. */
export async function readContent(location: string, what: string): Promise<string> {
  if (location === '-') return readStandardInput();
  if (OTHER_URL.test(location)) throw toUnfetchable(location, what);
  return isUrl(location) ? readUrl(location, what) : readText(location, what);
}

/** The colon of a Windows path has a backslash or a single slash behind it. */
const OTHER_URL = /^(?!https?:)[a-z][a-z0-9+.-]*:\/\//i;

function toUnfetchable(location: string, what: string): SetupError {
  return new SetupError(
    'url-unreadable',
    `Cannot read the ${what} ${location}: only http and https URLs are fetched. ${toPathRemedy(location)}`,
  );
}

function toPathRemedy(location: string): string {
  try {
    return `Name the file by its path: ${fileURLToPath(location)}`;
  } catch {
    return 'Download it, and name the file.';
  }
}

let standardInput: Promise<string> | undefined;

/** Remembers standard input for reloads, because it can be read only once. */
function readStandardInput(): Promise<string> {
  standardInput ??= text(createReadStream('', { fd: 0 })).catch((cause: Error) => {
    const remedy = 'Pipe a document into it, or name a file: --spec api.yaml.';
    throw new SetupError('input-unreadable', `Failed to read standard input: ${cause.message}. ${remedy}`, {
      cause,
    });
  });
  return standardInput;
}

async function readText(location: string, what: string): Promise<string> {
  try {
    return await readFile(location, 'utf8');
  } catch (cause) {
    throw await toReadError(cause, location, what);
  }
}

async function readUrl(location: string, what: string): Promise<string> {
  const toError = (reason: string, remedy: string, cause?: unknown) =>
    new SetupError('url-unreadable', `Failed to fetch the ${what} ${location}: ${reason}. ${remedy}`, {
      cause,
    });
  try {
    const response = await fetch(location, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
    const content = await response.text();
    const { status, statusText } = response;
    if (status === 401 || status === 403)
      throw toError(`the server answered ${status}, so it wants credentials`, WITH_CREDENTIALS);
    if (!response.ok) throw toError(`the server answered ${`${status} ${statusText}`.trim()}`, CHECK_URL);
    if (!HTML.test(content)) return content;
    const from = response.redirected ? ` after a redirect to ${response.url}` : '';
    throw toError(`the server answered with an HTML page${from}`, IN_A_BROWSER);
  } catch (cause) {
    if (cause instanceof SetupError) throw cause;
    const { reason, remedy = CHECK_URL } = explainFetch(cause as Error, location);
    throw toError(reason, remedy, cause);
  }
}

const HTML = /^\s*(<!--[^>]*-->\s*)?(<!doctype html|<html)/i;

const CHECK_URL = 'Check the URL with a browser or curl, or download it and name the file.';
const WITH_CREDENTIALS = 'Download it with a browser or curl, and name the file.';
const IN_A_BROWSER =
  'It may ask for a login, or show the document to people: open it in a browser, find the URL of the document itself, or download it and name the file.';

interface FetchFailure {
  readonly reason: string;
  readonly remedy?: string;
}

function explainFetch(error: Error, location: string): FetchFailure {
  if (error.name === 'TimeoutError')
    return {
      reason: `no answer came within ${FETCH_TIMEOUT_MS / 1000} seconds`,
      remedy: `See what curl -v ${location} says, or download it and name the file.`,
    };
  const { cause: reason } = error;
  const { code = '', message }: NodeJS.ErrnoException = reason instanceof Error ? reason : error;
  const explained = URL.canParse(location) ? FAILURES[code]?.(new URL(location)) : undefined;
  return explained ?? { reason: (message || code || error.message).replace(/\.$/, '') };
}

const UNTRUSTED = ({ host }: URL): FetchFailure => ({
  reason: `the certificate of ${host} is not trusted`,
  remedy: 'Name its authority with NODE_EXTRA_CA_CERTS, or download the file and name it.',
});

const FAILURES: Readonly<Record<string, (url: URL) => FetchFailure>> = {
  ECONNREFUSED: ({ host }) => ({
    reason: `nothing listens on ${host} (ECONNREFUSED)`,
    remedy: 'Start that server first, or correct the URL.',
  }),
  ENOTFOUND: ({ hostname }) => ({
    reason: `the host ${hostname} is unknown`,
    remedy: 'Check its spelling, and whether this machine is online.',
  }),
  EAI_AGAIN: ({ hostname }) => ({
    reason: `the host ${hostname} cannot be looked up now`,
    remedy: 'Check whether this machine is online, or download the document and name the file.',
  }),
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
};

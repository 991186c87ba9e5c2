import {
  buildIsCredential,
  type IsCredential,
  redactBody,
  redactHeaders,
  redactQuery,
} from '../../base/redact/redact.ts';
import type { JournalEntry } from '../../core/journal/journal.ts';
import { type Service, toDocumentInfo } from '../../core/service/service.ts';

/** A journal entry as plain data without credentials. */
export interface PublicEntry extends Omit<JournalEntry, 'request' | 'response'> {
  readonly request: PublicSide & { readonly query: string };
  readonly response: PublicSide;
}

export interface PublicSide {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Of a body that is not text. */
  readonly encoding?: 'base64';
}

const known = new WeakMap<Service, IsCredential>();

/** Recognizes the credentials of a document, by its security schemes and the usual names. */
export function credentialsOf(service: Service): IsCredential {
  const found = known.get(service);
  if (found) return found;
  const isCredential = buildIsCredential(toDocumentInfo(service).credentialNames);
  known.set(service, isCredential);
  return isCredential;
}

/** Makes an entry fit to leave the process: hides credentials, and writes bytes as base64. */
export function toPublicEntry(entry: JournalEntry, isCredential: IsCredential): PublicEntry {
  const { problem, request, response } = entry;
  return {
    ...entry,
    // Its cause is for those who debug the mock itself.
    problem: problem && { ...problem, cause: undefined },
    request: { query: redactQuery(request.query, isCredential), ...toPublicSide(request, isCredential) },
    response: toPublicSide(response, isCredential),
  };
}

function toPublicSide(
  { headers, body, bytes }: JournalEntry['response'],
  isCredential: IsCredential,
): PublicSide {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const shown = redactHeaders(headers, isCredential);
  if (bytes === undefined) {
    return { headers: shown, ...(body !== undefined && { body: redactBody(body, type, isCredential) }) };
  }
  // Each byte is one character in latin1, so that a form with files goes through the same function as text.
  const text = redactBody(Buffer.from(bytes).toString('latin1'), type, isCredential);
  return { headers: shown, body: Buffer.from(text, 'latin1').toString('base64'), encoding: 'base64' };
}

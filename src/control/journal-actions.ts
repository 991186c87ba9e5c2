import type { JournalEntry } from '../journal.ts';
import { violationProblem } from '../problem.ts';
import {
  buildIsCredential,
  type IsCredential,
  redactBody,
  redactHeaders,
  redactQuery,
} from '../redact/redact.ts';
import { type Service, toOperationId } from '../service/service.ts';
import type { ControlActions } from './control-action.ts';

/** The actions on the journal. Credentials are hidden in all that they answer. */
export const JOURNAL_ACTIONS: ControlActions = {
  readJournal({ session, input: { query } }) {
    const isWanted = buildFilter(query, session.service);
    const found = session.journal.entries().filter(isWanted);
    const offset = Number(query.offset ?? 0);
    const shown = found.slice(offset, query.limit === undefined ? undefined : offset + Number(query.limit));
    const isCredential = credentialsOf(session.service);
    return {
      body: { entries: shown.map((entry) => toPublicEntry(entry, isCredential)), total: found.length },
    };
  },
  clearJournal({ session }) {
    session.journal.clear();
    return {};
  },
};

type Filter = (entry: JournalEntry) => boolean;

function buildFilter(query: Readonly<Record<string, unknown>>, service: Service): Filter {
  const { operation, status, since, source } = query;
  const id = operation === undefined ? undefined : toOperationId(service, String(operation));
  const isStatus = status === undefined ? () => true : buildStatusFilter(String(status));
  const isLater = since === undefined ? () => true : buildSinceFilter(String(since));
  return (entry) =>
    (id === undefined || entry.operation === id) &&
    (source === undefined || entry.source === source) &&
    isStatus(entry) &&
    isLater(entry);
}

/** Reads a status or a range such as `4xx`. */
function buildStatusFilter(wanted: string): Filter {
  const digits = wanted.replace(/x+$/i, '');
  return ({ status }) => String(status).startsWith(digits);
}

/** Reads the id of an entry or a time; later entries pass. */
function buildSinceFilter(since: string): Filter {
  if (/^\d+$/.test(since)) return ({ id }) => id > Number(since);
  const moment = Date.parse(since);
  if (!Number.isNaN(moment)) return ({ time }) => Date.parse(time) > moment;
  const message = 'must be the id of an entry or a time such as 2027-01-01T00:00:00Z';
  throw violationProblem(400, 'invalid_parameter', [{ location: 'query.since', message, code: 'format' }]);
}

const known = new WeakMap<Service, IsCredential>();

/** Recognizes the credentials of a document, by its security schemes and the usual names. */
export function credentialsOf(service: Service): IsCredential {
  const found = known.get(service);
  if (found) return found;
  const schemes = new Set([...service.document.security.values()].flat(2));
  const isCredential = buildIsCredential(
    [...schemes].flatMap((scheme) => ('in' in scheme ? [scheme.name] : [])),
  );
  known.set(service, isCredential);
  return isCredential;
}

/** An entry as data that may leave the process: without credentials, and bytes as base64. */
export function toPublicEntry(entry: JournalEntry, isCredential: IsCredential): object {
  const { problem, request, response, ...others } = entry;
  return {
    ...others,
    // Its cause is for those who debug the mock itself.
    ...(problem && { problem: { ...problem, cause: undefined } }),
    request: { query: redactQuery(request.query, isCredential), ...toPublicSide(request, isCredential) },
    response: toPublicSide(response, isCredential),
  };
}

function toPublicSide(
  { headers, body, bytes }: JournalEntry['response'],
  isCredential: IsCredential,
): object {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const shown = redactHeaders(headers, isCredential);
  if (bytes === undefined) {
    return { headers: shown, ...(body !== undefined && { body: redactBody(body, type, isCredential) }) };
  }
  // Each byte is one character in latin1, so that a form with files goes through the same function as text.
  const text = redactBody(Buffer.from(bytes).toString('latin1'), type, isCredential);
  return { headers: shown, body: Buffer.from(text, 'latin1').toString('base64'), encoding: 'base64' };
}

import { violationProblem } from '../../base/problem.ts';
import type { JournalEntry } from '../../core/journal/journal.ts';
import { type Service, type Session, toOperationId } from '../../core/service/service.ts';
import type { ControlActions } from './control-action.ts';
import { followJournal } from './follow-journal.ts';
import { toHar } from './har.ts';
import { credentialsOf, type PublicEntry, toPublicEntry } from './public-entry.ts';

/** The actions on the journal. Credentials are hidden in all that they answer. */
export const JOURNAL_ACTIONS: ControlActions = {
  readJournal({ session, input: { query }, mediaType }) {
    const found = findEntries(session, query);
    const entries = toPage(session, query, found);
    return { body: mediaType === HAR ? toHar(entries) : { entries, total: found.length } };
  },
  exportJournal({ session, input: { query } }) {
    return { body: toHar(toPage(session, query, findEntries(session, query))) };
  },
  followJournal({ sessions, session, input: { query, header } }) {
    const resumed = toResumed(header['last-event-id'], session.journal);
    const wanted = resumed === undefined ? query : { ...query, since: resumed };
    const isWanted = buildFilter(wanted, session.service);
    const past = () => (wanted.since === undefined ? [] : session.journal.entries().filter(isWanted));
    return followJournal({ sessions, session, isWanted, past });
  },
  clearJournal({ session }) {
    session.journal.clear();
    return {};
  },
};

/** The usual media type of HTTP Archives, though it is not registered. */
const HAR = 'application/har+json';
/** The whole journal of a session as an HTTP Archive, without credentials. */
export function toSessionHar(session: Session): object {
  return toHar(toPage(session, {}, session.journal.entries()));
}

type Query = Readonly<Record<string, unknown>>;

function findEntries({ journal, service }: Session, query: Query): JournalEntry[] {
  return journal.entries().filter(buildFilter(query, service));
}

function toPage(
  { service }: Session,
  { offset, limit }: Query,
  found: readonly JournalEntry[],
): PublicEntry[] {
  const start = Number(offset ?? 0);
  const isCredential = credentialsOf(service);
  const page = found.slice(start, limit === undefined ? undefined : start + Number(limit));
  return page.map((entry) => toPublicEntry(entry, isCredential));
}

/** Whether an entry passes. */
type Filter = (entry: JournalEntry) => boolean;

/** The entry to resume after. An id that this journal has not given yet comes from an earlier one, of which it has nothing. */
function toResumed(lastEventId: unknown, { last }: Session['journal']): string | undefined {
  if (lastEventId === undefined || lastEventId === '') return undefined;
  const id = /^\d{1,15}$/.test(String(lastEventId)) ? Number(lastEventId) : Number.POSITIVE_INFINITY;
  return String(id > last ? 0 : id);
}

function buildFilter(query: Query, service: Service): Filter {
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

import { toJson } from '../codecs/codecs.ts';
import type { JournalEntry } from '../journal.ts';
import type { Outcome } from '../message/message.ts';
import { Problem } from '../problem.ts';
import type { Session, Sessions } from '../service/service.ts';
import { JournalStream } from './journal-stream.ts';
import { credentialsOf, toPublicEntry } from './public-entry.ts';

/** The most streams of one mock. Each has a connection, and entries that wait for it. */
const MOST_STREAMS = 100;

const counts = new WeakMap<Sessions, number>();
const texts = new WeakMap<JournalEntry, string>();

interface Following {
  readonly sessions: Sessions;
  readonly session: Session;
  /** The entries to begin with. */
  readonly past: () => readonly JournalEntry[];
  readonly isWanted: (entry: JournalEntry) => boolean;
}

/** Answers with a stream of the journal of a session. Throws a 429 Problem if there are too many. */
export function followJournal({ sessions, session, past, isWanted }: Following): Outcome {
  const count = () => counts.get(sessions) ?? 0;
  if (count() >= MOST_STREAMS) throw tooManyStreams();
  return {
    stream: {
      mediaType: 'text/event-stream',
      open(sink) {
        // Both may have changed since the request was read.
        if (count() >= MOST_STREAMS || sessions.find(session.name) !== session) {
          sink.end();
          return CLOSED;
        }
        counts.set(sessions, count() + 1);
        const onClose = () => counts.set(sessions, count() - 1);
        const { journal } = session;
        const toData = (entry: JournalEntry) => toText(session, entry);
        return new JournalStream(sink, { journal, past: past(), isWanted, toData, onClose });
      },
    },
  };
}

const CLOSED = { resume: () => {}, close: () => {} };

/** The public form of an entry, in one line. All streams share that of a new entry. */
function toText({ service }: Session, entry: JournalEntry): string {
  const known = texts.get(entry);
  if (known !== undefined) return known;
  const text = toJson(toPublicEntry(entry, credentialsOf(service)));
  texts.set(entry, text);
  return text;
}

function tooManyStreams(): Problem {
  return new Problem(
    429,
    'too_many_streams',
    `At most ${MOST_STREAMS} clients can follow requests at a time. Close some streams, or ask for the journal with since instead.`,
  );
}

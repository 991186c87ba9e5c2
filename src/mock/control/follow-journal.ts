import { LIMITS } from '../../base/limits.ts';
import { Problem } from '../../base/problem.ts';
import type { JournalEntry } from '../../core/journal/journal.ts';
import type { Session, Sessions } from '../../core/service/service.ts';
import { toJson } from '../../wire/codecs/codecs.ts';
import type { Outcome } from '../../wire/message/message.ts';
import { JournalStream } from './journal-stream.ts';
import { credentialsOf, toPublicEntry } from './public-entry.ts';
import { reservePlace } from './stream-places.ts';

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
  const place = reservePlace(sessions);
  if (!place) throw tooManyStreams();
  return {
    stream: {
      mediaType: 'text/event-stream',
      open(sink) {
        // The session may have ended since the request was read.
        if (sessions.find(session.name) !== session || !place.keep()) {
          place.leave();
          sink.end();
          return CLOSED;
        }
        const { journal } = session;
        const toData = (entry: JournalEntry) => toText(session, entry);
        return new JournalStream(sink, { journal, past: past(), isWanted, toData, onClose: place.leave });
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
    `At most ${LIMITS.streams.value} clients can follow requests at a time. Close some streams, or ask for the journal with since instead.`,
  );
}

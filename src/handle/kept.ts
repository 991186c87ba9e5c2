import type { MockRequest, MockResponse } from '../message.ts';
import type { Session } from '../store/store.ts';

/** The answers that were given last, each for as long as nothing changes. An equal request gets the same one. */
export interface KeptAnswers<T extends { readonly response: MockResponse }> {
  /** The answer to an equal request; `common` is what every answer carries. */
  find(request: MockRequest, common: object): T | undefined;
  /**
   * Keeps what follows from the request and the state alone. `version` is that of the session before: a document may say that a
   * GET changes something, which is to happen each time.
   */
  keep(request: MockRequest, common: object, answer: T, version: number): void;
}

interface Kept<T> {
  readonly version: number;
  readonly headers: MockRequest['headers'];
  readonly common: object;
  readonly answer: T;
}

/** How many answers are kept, and how long they are together, in characters. */
const MOST = 256;
const LONGEST = 4 * 1024 * 1024;

/** Keeps answers to GETs. All headers are compared, so that nothing need be known of what an answer depends on. */
export function createKeptAnswers<T extends { readonly response: MockResponse }>(
  session: Session,
): KeptAnswers<T> {
  /** path → query → answer */
  const kept = new Map<string, Map<string, Kept<T>>>();
  const size = { answers: 0, length: 0 };
  return {
    find({ method, path, query, headers }, common) {
      if (method !== 'GET') return undefined;
      const known = kept.get(path)?.get(query);
      if (!known || known.version !== session.version || known.common !== common) return undefined;
      return isSame(known.headers, headers) ? known.answer : undefined;
    },
    keep({ method, path, query, headers }, common, answer, version) {
      if (method !== 'GET') return;
      size.answers += 1;
      size.length += path.length + query.length + (answer.response.body?.length ?? 0);
      if (size.answers > MOST || size.length > LONGEST) {
        kept.clear();
        size.answers = 0;
        size.length = 0;
        return;
      }
      const ofPath = kept.get(path) ?? new Map<string, Kept<T>>();
      kept.set(path, ofPath);
      ofPath.set(query, { version, headers, common, answer });
    },
  };
}

function isSame(one: MockRequest['headers'], other: MockRequest['headers']): boolean {
  let count = 0;
  for (const name in one) {
    if (one[name] !== other[name]) return false;
    count += 1;
  }
  for (const _ in other) count -= 1;
  return count === 0;
}

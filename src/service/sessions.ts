import { createBudget } from '../cache.ts';
import type { Service } from './build.ts';
import { inherit } from './inherit.ts';
import { createSession, moveSession, resetSession, type Session, type SessionOptions } from './session.ts';

/** The current service, and the sessions that live on it. */
export interface Sessions {
  readonly service: Service;
  /** The default session, merged with the current service if that is a newer one than it was used with last. */
  use(): Session;
  /**
   * Makes another service the current one, in one synchronous turn with the merge of the default session. Returns a sentence for
   * each change of a client that was dropped. The entities of both services must be ready.
   */
  swap(service: Service): string[];
  /** Sets the default session back to its beginning. */
  reset(): void;
}

/** The caches and journals of all sessions together. */
const MEMORY_LIMIT = 128 * 1024 * 1024;

export function createSessions(service: Service, options: SessionOptions = {}): Sessions {
  const budget = createBudget(MEMORY_LIMIT);
  const session = createSession(service, budget, options);
  let current = service;
  const use = (): Session => {
    if (session.service !== current) merge(session, current);
    budget.touch(session);
    return session;
  };
  return {
    get service() {
      return current;
    },
    use,
    swap(next) {
      current = next;
      return merge(session, next);
    },
    reset: () => resetSession(use()),
  };
}

/** Moves a session to a newer service with what clients changed in it. */
function merge(session: Session, service: Service): string[] {
  const { store, dropped } = inherit(service, session);
  moveSession(session, service, store);
  return dropped;
}

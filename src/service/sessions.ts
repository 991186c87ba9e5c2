import { createBudget } from '../cache.ts';
import type { Service } from './build.ts';
import { inherit } from './inherit.ts';
import { createSession, moveSession, resetSession, type Session, type SessionOptions } from './session.ts';

/** The current service and its sessions. */
export interface Sessions {
  readonly service: Service;
  /** Returns the default session. */
  use(): Session;
  /**
   * Merges the default session with another service and makes that the current one. Returns a sentence for each change of a client
   * that was dropped. The entities of both services must be ready.
   */
  swap(service: Service): string[];
  /** Resets the default session. */
  reset(): void;
}

/** The bound for the caches and journals of all sessions together, in bytes. */
const MEMORY_LIMIT = 128 * 1024 * 1024;

export function createSessions(service: Service, options: SessionOptions = {}): Sessions {
  const budget = createBudget(MEMORY_LIMIT);
  const session = createSession(service, budget, options);
  return {
    get service() {
      return session.service;
    },
    use() {
      budget.touch(session);
      return session;
    },
    swap(next) {
      const { store, dropped } = inherit(next, session);
      moveSession(session, next, store);
      return dropped;
    },
    reset: () => resetSession(session),
  };
}

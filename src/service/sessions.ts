import { createBudget } from '../cache.ts';
import type { FaultRule } from '../faults/faults.ts';
import { Problem } from '../problem.ts';
import type { Service } from './build.ts';
import { inherit } from './inherit.ts';
import { createSession, moveSession, resetSession, type Session, type SessionOptions } from './session.ts';
import { type Eviction, MOST_SESSIONS, SessionPool } from './session-pool.ts';

/** The current service and its sessions. */
export interface Sessions {
  readonly service: Service;
  /**
   * Returns a session by its name, the default one unless given. Creates one that does not exist. Throws a 410 Problem, once, for one
   * that was evicted.
   */
  use(name?: string): Session;
  /** Returns a session without creating it or marking it as used. */
  find(name: string): Session | undefined;
  /** The default session, then the others, the most recently used one last. */
  all(): Session[];
  /** Ends a session. Returns whether it existed. The default one is reset instead. */
  end(name: string): boolean;
  /**
   * Makes another service the current one. The default session is merged with it at once, and every other one at its next use. Returns
   * a sentence for each change of a client that was dropped from the default session. The entities of both services must be ready.
   */
  swap(service: Service): string[];
}

/** The name of the session of requests that name none. */
export const DEFAULT_SESSION = 'default';

interface SessionsOptions extends SessionOptions {
  /** The most sessions beside the default one. */
  readonly most?: number;
  /** Called after a session was evicted. */
  readonly onEvict?: (eviction: Eviction) => void;
}

/** The bound for the caches and journals of all sessions together, in bytes. */
const MEMORY_LIMIT = 128 * 1024 * 1024;

export function createSessions(
  service: Service,
  { most = MOST_SESSIONS, onEvict = () => {}, ...options }: SessionsOptions = {},
): Sessions {
  const budget = createBudget(MEMORY_LIMIT);
  const main = createSession(DEFAULT_SESSION, service, budget, options);
  const create = (name: string) => createSession(name, main.service, budget, options);
  const others = new SessionPool({ most, create, onEvict, budget });
  return {
    get service() {
      return main.service;
    },
    use(name = DEFAULT_SESSION) {
      if (name === DEFAULT_SESSION) {
        budget.touch(main);
        return main;
      }
      const session = others.use(name);
      if (session.service !== main.service) mergeWith(main.service, session);
      return session;
    },
    find: (name) => (name === DEFAULT_SESSION ? main : others.find(name)),
    all: () => [main, ...others.all()],
    end(name) {
      if (name !== DEFAULT_SESSION) return others.end(name);
      resetSession(main);
      return true;
    },
    swap: (next) => mergeWith(next, main),
  };
}

/** Moves a session to another service, with the changes of clients that still fit. Returns a sentence for each one that was dropped. */
function mergeWith(service: Service, session: Session): string[] {
  const { store, dropped } = inherit(service, session);
  const rules = session.faults.added();
  moveSession(session, service, store);
  return [...dropped, ...rules.flatMap((rule) => addAgain(session, rule))];
}

function addAgain({ service, faults }: Session, rule: FaultRule): string[] {
  try {
    faults.add(service.readFault(rule));
    return [];
  } catch (error) {
    if (error instanceof Problem) return [error.message];
    throw error;
  }
}

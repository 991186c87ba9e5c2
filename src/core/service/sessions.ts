import type { FaultRule } from '../../answer/faults/faults.ts';
import { type Budget, createBudget } from '../../base/budget.ts';
import { LIMITS } from '../../base/limits.ts';
import { Problem } from '../../base/problem.ts';
import { EntityCount } from '../../state/store/store.ts';
import type { Service } from './build.ts';
import { inherit } from './inherit.ts';
import {
  countEntities,
  countWritten,
  createSession,
  moveSession,
  resetSession,
  type Session,
  type SessionOptions,
} from './session.ts';
import { type Eviction, SessionPool } from './session-pool.ts';

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
  /** The memory of all sessions. */
  readonly budget: Budget;
  /** Counts the memory that an exchange left in a session, and frees some if that is too much. */
  settle(session: Session): void;
  /** Wakes every request that waits. */
  wakeAll(): void;
}

/** The name of the session of requests that name none. */
export const DEFAULT_SESSION = 'default';

interface SessionsOptions extends SessionOptions {
  /** The most sessions beside the default one. */
  readonly most?: number;
  /** The most bytes that requests may make all sessions hold together. */
  readonly memory?: number;
  /** Called after a session was evicted. */
  readonly onEvict?: (eviction: Eviction) => void;
}

export function createSessions(
  service: Service,
  {
    most = LIMITS.sessions.value,
    memory = LIMITS.memory.value,
    onEvict = () => {},
    ...options
  }: SessionsOptions = {},
): Sessions {
  const countAll = () => {
    const count = new EntityCount();
    for (const session of [main, ...others.all()]) countEntities(session, count);
    return count.bytes;
  };
  const budget = createBudget(countAll, memory);
  const main = createSession(DEFAULT_SESSION, service, budget, options);
  const create = (name: string) => createSession(name, main.service, budget, options);
  const others = new SessionPool({ most, create, onEvict });
  return {
    get service() {
      return main.service;
    },
    use(name = DEFAULT_SESSION) {
      if (name === DEFAULT_SESSION) {
        main.account.touch();
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
    budget,
    settle(session) {
      if (session.isEnded) return;
      countWritten(session);
      budget.settle();
    },
    wakeAll() {
      for (const { waits } of [main, ...others.all()]) waits.end();
    },
  };
}

/** Moves a session to another service, with the changes of clients that still fit. Returns a sentence for each one that was dropped. */
function mergeWith(service: Service, session: Session): string[] {
  const { store, dropped, setAside } = inherit(service, session);
  const rules = session.faults.added();
  moveSession(session, service, store);
  session.setAside = setAside;
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

import { createBudget } from '../cache.ts';
import { Problem } from '../problem.ts';
import type { Service } from './build.ts';
import { inherit } from './inherit.ts';
import { createSession, moveSession, resetSession, type Session, type SessionOptions } from './session.ts';

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
  /** All sessions: the default one, then the others from the least to the most recently used. */
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

/** Why a session ended before its client was done with it. */
export interface Eviction {
  readonly session: string;
  readonly reason: 'idle' | 'crowded';
}

export interface SessionsOptions extends SessionOptions {
  /** The most sessions beside the default one. */
  readonly most?: number;
  /** Called after a session was evicted. */
  readonly onEvict?: (eviction: Eviction) => void;
}

/** The bound for the caches and journals of all sessions together, in bytes. */
const MEMORY_LIMIT = 128 * 1024 * 1024;

export const MOST_SESSIONS = 10_000;

/** A session that nobody used for an hour is evicted. */
const LONGEST_IDLE_MS = 60 * 60 * 1000;

export function createSessions(
  service: Service,
  { most = MOST_SESSIONS, onEvict = () => {}, ...options }: SessionsOptions = {},
): Sessions {
  const budget = createBudget(MEMORY_LIMIT);
  const main = createSession(DEFAULT_SESSION, service, budget, options);
  // A Map iterates in the order of insertion, so its first member is the least recently used one.
  const named = new Map<string, Session>();
  const lost = createLostNames();
  let newest: Session | undefined;
  const remove = (session: Session) => {
    named.delete(session.name);
    if (newest === session) newest = undefined;
    budget.forget(session);
    session.shed();
  };
  const evict = (session: Session, reason: Eviction['reason']) => {
    remove(session);
    lost.add(session.name);
    onEvict({ session: session.name, reason });
  };
  const evictIdle = (now: number) => {
    for (const session of named.values()) {
      if (now - session.usedAt < LONGEST_IDLE_MS) return;
      evict(session, 'idle');
    }
  };
  const create = (name: string) => {
    if (lost.take(name)) throw sessionLost(name);
    const [oldest] = named.size >= most ? named.values() : [];
    if (oldest) evict(oldest, 'crowded');
    return createSession(name, main.service, budget, options);
  };
  const touch = (session: Session, now: number) => {
    budget.touch(session);
    session.usedAt = now;
    if (session === newest) return;
    named.delete(session.name);
    named.set(session.name, session);
    newest = session;
  };
  return {
    get service() {
      return main.service;
    },
    use(name = DEFAULT_SESSION) {
      if (name === DEFAULT_SESSION) {
        budget.touch(main);
        return main;
      }
      const now = performance.now();
      evictIdle(now);
      const session = named.get(name) ?? create(name);
      touch(session, now);
      if (session.service !== main.service)
        moveSession(session, main.service, inherit(main.service, session).store);
      return session;
    },
    find: (name) => (name === DEFAULT_SESSION ? main : named.get(name)),
    all: () => [main, ...named.values()],
    end(name) {
      const session = named.get(name);
      if (session) remove(session);
      else if (name === DEFAULT_SESSION) resetSession(main);
      return session !== undefined || name === DEFAULT_SESSION;
    },
    swap(next) {
      const { store, dropped } = inherit(next, main);
      moveSession(main, next, store);
      return dropped;
    },
  };
}

/** The names of evicted sessions, each until a client learns of it. */
interface LostNames {
  add(name: string): void;
  /** Removes a name. Returns whether it was there. */
  take(name: string): boolean;
}

function createLostNames(): LostNames {
  const names = new Set<string>();
  return {
    add(name) {
      names.delete(name);
      names.add(name);
      const [oldest] = names.size > MOST_SESSIONS ? names : [];
      if (oldest !== undefined) names.delete(oldest);
    },
    take: (name) => names.delete(name),
  };
}

function sessionLost(name: string): Problem {
  return new Problem(
    410,
    'session_lost',
    `The session ${name} was evicted, and its state is lost. The next request begins it anew. --max-sessions allows more sessions at a time.`,
  );
}

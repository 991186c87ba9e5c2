import { LIMITS } from '../../base/limits.ts';
import { Problem } from '../../base/problem.ts';
import { endSession, type Session } from './session.ts';

/** Why a session ended before its client was done with it. */
export interface Eviction {
  readonly session: string;
  readonly reason: 'idle' | 'crowded';
}

interface PoolOptions {
  /** The most sessions at a time. */
  readonly most: number;
  readonly create: (name: string) => Session;
  /** Called after a session was evicted. */
  readonly onEvict: (eviction: Eviction) => void;
}

const SWEEP_MS = 10_000;

/** The sessions beside the default one. A class, because its parts share so much. */
export class SessionPool {
  readonly #options: PoolOptions;
  /** A Map iterates in the order of insertion, so its first member is the least recently used one. */
  readonly #sessions = new Map<string, Session>();
  /** The names of evicted sessions, each until a client learns of it. */
  readonly #lost = new Set<string>();
  #newest: Session | undefined;
  /** When to look for idle sessions again, by `performance.now()`. */
  #nextSweep = 0;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Returns a session, or creates it. Throws a 410 Problem, once, for one that was evicted. */
  use(name: string): Session {
    const now = performance.now();
    if (now >= this.#nextSweep) this.#evictIdle(now);
    const session = this.#sessions.get(name) ?? this.#create(name);
    session.account.touch();
    session.usedAt = now;
    if (session !== this.#newest) {
      this.#sessions.delete(name);
      this.#sessions.set(name, session);
      this.#newest = session;
    }
    return session;
  }

  /** Returns a session without creating it or marking it as used. */
  find(name: string): Session | undefined {
    return this.#sessions.get(name);
  }

  /** All sessions, the most recently used one last. */
  all(): Session[] {
    return [...this.#sessions.values()];
  }

  /** Ends a session. Returns whether it existed. */
  end(name: string): boolean {
    this.#lost.delete(name);
    const session = this.#sessions.get(name);
    if (!session) return false;
    this.#sessions.delete(name);
    if (this.#newest === session) this.#newest = undefined;
    endSession(session);
    return true;
  }

  #create(name: string): Session {
    if (this.#lost.delete(name)) throw sessionLost(name);
    const { most, create } = this.#options;
    const [oldest] = this.#sessions.size >= most ? this.#sessions.keys() : [];
    if (oldest !== undefined) this.#evict(oldest, 'crowded');
    return create(name);
  }

  #evictIdle(now: number): void {
    this.#nextSweep = now + SWEEP_MS;
    for (const { name, usedAt } of this.#sessions.values()) {
      if (now - usedAt < LIMITS.sessionIdle.value) return;
      this.#evict(name, 'idle');
    }
  }

  #evict(name: string, reason: Eviction['reason']): void {
    this.end(name);
    this.#lost.add(name);
    const [oldest] = this.#lost.size > LIMITS.sessions.value ? this.#lost : [];
    if (oldest !== undefined) this.#lost.delete(oldest);
    this.#options.onEvict({ session: name, reason });
  }
}

function sessionLost(name: string): Problem {
  return new Problem(
    410,
    'session_lost',
    `The session ${name} was evicted, and its state is lost. The next request begins it anew. --max-sessions allows more sessions at a time.`,
  );
}

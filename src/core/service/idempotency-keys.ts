import type { Ledger } from '../../base/budget.ts';
import { LIMITS } from '../../base/limits.ts';
import type { Problem } from '../../base/problem.ts';
import { type MockResponse, sizeOfResponse } from '../../wire/message/message.ts';
import type { AnswerSource } from '../journal/journal.ts';

/** A request with an Idempotency-Key. */
export interface KeyedRequest {
  readonly key: string;
  /** Differs for every other request. */
  readonly fingerprint: string;
}

/** The first answer to a keyed request, before it is decorated. */
interface KeptAnswer {
  readonly response: MockResponse;
  readonly source: AnswerSource | undefined;
  /** The reason of an error answer. */
  readonly problem: Problem | undefined;
}

interface Kept {
  readonly request: KeyedRequest;
  readonly answer: KeptAnswer;
  /** The time of the session from which the key is free again. */
  readonly until: number;
  readonly bytes: number;
}

/** About what an entry takes beside its texts. */
const ENTRY_BYTES = 500;

/** The idempotency keys of a session. A class, to save memory: there may be ten thousand sessions. */
export class IdempotencyKeys {
  readonly #ledger: Ledger;
  #answers: Map<string, Kept> | undefined;
  #running: Map<string, KeyedRequest> | undefined;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Marks a request as running, unless another one with its key is. Returns the one that is. */
  claim(request: KeyedRequest): KeyedRequest {
    const running = this.#running?.get(request.key);
    if (running) return running;
    this.#running ??= new Map();
    this.#running.set(request.key, request);
    return request;
  }

  /** Ends the claim of a request, if it has one. */
  release(request: KeyedRequest): void {
    if (this.#running?.get(request.key) === request) this.#running.delete(request.key);
  }

  /** The first request with a key and its answer, for 24 hours of the session's clock. */
  find(key: string, now: number): Kept | undefined {
    const kept = this.#answers?.get(key);
    return kept && now < kept.until ? kept : undefined;
  }

  /** Keeps the answer to a request, unless the state that it was carried out in has been replaced since. */
  keep(request: KeyedRequest, answer: KeptAnswer, now: number): void {
    if (this.#running?.get(request.key) !== request) return;
    const bytes = ENTRY_BYTES + request.key.length + sizeOfResponse(answer.response);
    this.#forget(request.key);
    this.#answers ??= new Map();
    this.#answers.set(request.key, { request, answer, until: now + LIMITS.idempotencyKeys.value, bytes });
    this.#ledger.spend(bytes);
  }

  /** Forgets the keys that are free again. */
  dropExpired(now: number): void {
    for (const [key, { until }] of this.#answers ?? []) if (now >= until) this.#forget(key);
  }

  /** Forgets all keys, those of running requests included. */
  clear(): void {
    for (const key of [...(this.#answers?.keys() ?? [])]) this.#forget(key);
    this.#answers = undefined;
    this.#running = undefined;
  }

  #forget(key: string): void {
    const known = this.#answers?.get(key);
    if (!known) return;
    this.#answers?.delete(key);
    this.#ledger.spend(-known.bytes);
  }
}

import { STATUS_CODES } from 'node:http';
import type { Ledger } from '../../base/budget.ts';
import { Problem } from '../../base/problem.ts';
import type { Operation } from '../../model/operations/operations.ts';
import type { Random } from '../../schema/generate/generate.ts';
import { type MockRequest, toHeaderName } from '../../wire/message/message.ts';
import type { CheckedRule, Strike } from './check-rule.ts';
import type { Damage } from './damage.ts';
import { drawDelay } from './delays.ts';
import type { FaultRule } from './fault-rule.ts';
import { type Quota, RateCounter } from './rate-limit.ts';

/** A request that a rule may hit. */
export interface Asked {
  readonly operation: Operation;
  /** The start of the path before that of the operation. */
  readonly base: string;
  readonly request: MockRequest;
  /** The value of its body, where a rule reads it. */
  readonly body: unknown;
  /** The time of the session. */
  readonly now: number;
}

/** The rule that hit a request, and what it does. */
export interface Fault {
  /** The id of the rule; `header` for that of the request itself. */
  readonly rule: string;
  /** The number of requests that the rule has hit, including this one. */
  readonly number: number;
  readonly problem: Problem | undefined;
  readonly example: { readonly code?: number; readonly example: string } | undefined;
  readonly damage: Damage | undefined;
  /** Milliseconds that the rule adds. */
  readonly delay: number;
}

/** A rule of a session, as its clients see it. */
export interface RuleInfo extends FaultRule {
  readonly id: string;
  /** How many requests it has hit. */
  readonly hits: number;
}

/** A rule with the counts of a session. */
export class LiveRule {
  readonly id: string;
  readonly checked: CheckedRule;
  isAdded = false;
  /** About how much memory it takes; 0 unless a client added it. */
  bytes = 0;
  readonly #random: Random;
  readonly #counter: RateCounter | undefined;
  #matched = 0;
  #hits = 0;

  constructor(id: string, checked: CheckedRule, random: Random, ledger: Ledger | undefined) {
    this.id = id;
    this.checked = checked;
    this.#random = random;
    const { limit } = checked;
    this.#counter = limit && new RateCounter(`limit-${id}`, limit, ledger);
  }

  /** Releases its counts. */
  end(): void {
    this.#counter?.end();
  }

  info(): RuleInfo {
    return { id: this.id, ...this.checked.rule, hits: this.#hits };
  }

  /** Hits a request, if it matches and its turn has come. Notes what is left of a limit. */
  strike(asked: Asked, quotas: Quota[]): Fault | undefined {
    if (!this.#matches(asked)) return undefined;
    const quota = this.#counter?.take(asked.request, asked.now);
    if (quota) quotas.push(quota);
    if (quota?.isExceeded === false || !this.#isTurn()) return undefined;
    this.#hits += 1;
    const { strikes } = this.checked;
    const strike = strikes[Math.min(this.#hits, strikes.length) - 1] as Strike;
    return this.#toFault(strike, quota);
  }

  #matches({ operation, base, request, body, now }: Asked): boolean {
    const { pattern, conditions, from, until } = this.checked;
    return (
      pattern.operations.has(operation) &&
      now >= from &&
      now < until &&
      (pattern.isPath(request.path) || pattern.isPath(request.path.slice(base.length))) &&
      conditions.every((holds) => holds(request, body))
    );
  }

  #isTurn(): boolean {
    const { after = 0, every = 1, probability = 1, times = Number.POSITIVE_INFINITY } = this.checked.rule;
    this.#matched += 1;
    const turn = this.#matched - after;
    return turn > 0 && turn % every === 0 && this.#hits < times && this.#random() < probability;
  }

  #toFault({ status, effect }: Strike, quota: Quota | undefined): Fault {
    const { rule } = this.checked;
    const { example, bytes, bytesPerSecond, delay = 0 } = rule;
    const isExample = example !== undefined && effect === rule.effect;
    return {
      rule: this.id,
      number: this.#hits,
      problem: status === undefined || isExample ? undefined : toFaultProblem(rule, status, quota),
      example: isExample ? { ...(status !== undefined && { code: status }), example } : undefined,
      damage:
        effect &&
        ({
          effect,
          ...(bytes !== undefined && { bytes }),
          ...(bytesPerSecond !== undefined && { bytesPerSecond }),
        } satisfies Damage),
      delay: drawDelay(delay, this.#random),
    };
  }
}

function toFaultProblem(rule: FaultRule, status: number, quota: Quota | undefined): Problem {
  const given = Object.entries(rule.headers ?? {}).map(([name, value]) => [toHeaderName(name), value]);
  const headers = { ...(quota && { 'Retry-After': String(quota.reset) }), ...Object.fromEntries(given) };
  return new Problem(status, rule.code ?? toCode(status), rule.message ?? toMessage(rule, quota), {
    headers,
  });
}

function toMessage({ operation, rateLimit }: FaultRule, quota: Quota | undefined): string {
  return quota
    ? `More requests than the limit ${rateLimit} allows. Send it again in ${quota.reset} s.`
    : `A fault replaced the answer to ${operation}.`;
}

/** `503` → `service_unavailable` */
export function toCode(status: number): string {
  const phrase = STATUS_CODES[status] ?? `status ${status}`;
  return phrase
    .toLowerCase()
    .replaceAll("'", '')
    .replace(/[^a-z0-9]+/g, '_');
}

import { STATUS_CODES } from 'node:http';
import { createRandom, type Random } from '../generate/generate.ts';
import { type MockRequest, toHeaderName } from '../message/message.ts';
import type { Operation } from '../operations/operations.ts';
import { Problem } from '../problem.ts';
import type { CheckedRule, Strike } from './check-rule.ts';
import type { Damage } from './damage.ts';
import { drawDelay } from './delays.ts';
import type { FaultRule } from './fault-rule.ts';
import type { FaultRules } from './fault-rules.ts';
import { type Quota, RateCounter } from './rate-limit.ts';

/** A request that a rule may hit. */
interface Asked {
  readonly operation: Operation;
  /** The start of the path before that of the operation. */
  readonly base: string;
  readonly request: MockRequest;
  /** The value of its body, where a rule reads it. */
  readonly body: unknown;
  /** The time of the session. */
  readonly now: number;
}

/** The effects of rules and delays on one request. */
interface Decision {
  /** Milliseconds to wait first. */
  readonly delay: number;
  readonly fault: Fault | undefined;
  /** The limits that count the request. */
  readonly quotas: readonly Quota[];
}

/** The rule that hit a request, and what it does. */
export interface Fault {
  /** The id of the rule; `header` for that of the request itself. */
  readonly rule: string;
  /** How many requests the rule has hit, with this one. */
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

/** A client could add rules for ever. */
const MOST_RULES = 1000;

const NO_QUOTAS: readonly Quota[] = [];

/** The faults of one session, with counters and random sources of its own. A class, because every session has one. */
export class Faults {
  readonly #given: FaultRules;
  readonly #seed: string;
  #rules: LiveRule[] = [];
  #lastId = 0;
  #chance: Random | undefined;
  #headerChance: Random | undefined;

  /** Begins with the rules of a service. The same seed and requests get the same faults. */
  constructor(given: FaultRules, seed: string) {
    this.#given = given;
    this.#seed = seed;
    for (const rule of given.rules) this.#rules.push(this.#create(rule));
  }

  /** Whether no request can be hit, unless by its own header. */
  get none(): boolean {
    return this.#rules.length === 0 && this.#given.delays.none;
  }

  /** Whether a decision needs the body of the request. */
  get readsBody(): boolean {
    return this.#rules.some(({ checked }) => checked.readsBody);
  }

  /** Decides about a request. The first rule that hits wins; `own` is that of the request itself, and wins over all. */
  decide(asked: Asked, own?: CheckedRule): Decision {
    const quotas: Quota[] = [];
    const fault = own ? this.#strikeOnce(own, asked) : this.#findFault(asked, quotas);
    const usual = this.#given.delays.of(asked.operation);
    const delay = usual === 0 ? 0 : drawDelay(usual, this.#drawDelays());
    return { delay: delay + (fault?.delay ?? 0), fault, quotas: quotas.length === 0 ? NO_QUOTAS : quotas };
  }

  /** Adds a rule, before all others or behind those that were added. Throws a 409 Problem if there are too many. Returns its id. */
  add(rule: CheckedRule, place: 'first' | 'last' = 'last'): string {
    if (this.#rules.length >= MOST_RULES)
      throw new Problem(409, 'too_many_faults', `A session has at most ${MOST_RULES} faults. Delete some.`);
    const live = this.#create(rule);
    live.isAdded = true;
    const added = place === 'first' ? 0 : this.#rules.filter(({ isAdded }) => isAdded).length;
    this.#rules.splice(added, 0, live);
    return live.id;
  }

  /** Removes a rule. Returns whether it existed. */
  remove(id: string): boolean {
    const before = this.#rules.length;
    this.#rules = this.#rules.filter((rule) => rule.id !== id);
    return this.#rules.length < before;
  }

  /** Removes all rules. Delays stay. */
  clear(): void {
    this.#rules = [];
  }

  /** The rules in the order in which they are asked: those that were added to the session, then those of the options. */
  list(): RuleInfo[] {
    return this.#rules.map((live) => live.info());
  }

  /** The rules that were added to the session. */
  added(): FaultRule[] {
    return this.#rules.filter(({ isAdded }) => isAdded).map(({ checked }) => checked.rule);
  }

  #findFault(asked: Asked, quotas: Quota[]): Fault | undefined {
    for (const rule of this.#rules) {
      const fault = rule.strike(asked, quotas);
      if (fault) return fault;
    }
    return undefined;
  }

  #strikeOnce(rule: CheckedRule, asked: Asked): Fault | undefined {
    this.#headerChance ??= createRandom(`${this.#seed}:fault:header`);
    return new LiveRule('header', rule, this.#headerChance).strike(asked, []);
  }

  #create(rule: CheckedRule): LiveRule {
    this.#lastId += 1;
    const id = String(this.#lastId);
    return new LiveRule(id, rule, createRandom(`${this.#seed}:fault:${id}:${rule.rule.operation}`));
  }

  #drawDelays(): Random {
    this.#chance ??= createRandom(`${this.#seed}:delay`);
    return this.#chance;
  }
}

/** A rule with the counts of a session. */
class LiveRule {
  readonly id: string;
  readonly checked: CheckedRule;
  isAdded = false;
  readonly #random: Random;
  readonly #counter: RateCounter | undefined;
  #matched = 0;
  #hits = 0;

  constructor(id: string, checked: CheckedRule, random: Random) {
    this.id = id;
    this.checked = checked;
    this.#random = random;
    const { limit } = checked;
    this.#counter = limit && new RateCounter(`limit-${id}`, limit);
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

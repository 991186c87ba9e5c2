import type { Ledger } from '../../base/budget.ts';
import { LIMITS } from '../../base/limits.ts';
import { Problem } from '../../base/problem.ts';
import { createRandom, type Random } from '../../schema/generate/generate.ts';
import { sizeOfValue } from '../../state/store/store.ts';
import type { CheckedRule } from './check-rule.ts';
import { drawDelay } from './delays.ts';
import type { FaultRule } from './fault-rule.ts';
import type { FaultRules } from './fault-rules.ts';
import { type Asked, type Fault, LiveRule, type RuleInfo } from './live-rule.ts';
import type { Quota } from './rate-limit.ts';

/** The effects of rules and delays on one request. */
interface Decision {
  /** Milliseconds to wait first. */
  readonly delay: number;
  readonly fault: Fault | undefined;
  /** The limits that count the request. */
  readonly quotas: readonly Quota[];
}

const NO_QUOTAS: readonly Quota[] = [];

/** About the memory of a rule with its patterns and its source of chance. */
const RULE_BYTES = 3000;

/** The faults of one session, with counters and random sources of its own. A class, because every session has one. */
export class Faults {
  readonly #given: FaultRules;
  readonly #seed: string;
  readonly #ledger: Ledger | undefined;
  #rules: LiveRule[] = [];
  #lastId = 0;
  #chance: Random | undefined;
  #headerChance: Random | undefined;

  /** Begins with the rules of a service. The same seed and requests get the same faults. `ledger` counts what clients add. */
  constructor(given: FaultRules, seed: string, ledger?: Ledger) {
    this.#given = given;
    this.#seed = seed;
    this.#ledger = ledger;
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

  /**
   * Adds a rule, before all others or behind those that were added. Returns its id. Throws a 409 Problem if there are too many, and a
   * 507 Problem if it does not fit into memory.
   */
  add(rule: CheckedRule, place: 'first' | 'last' = 'last'): string {
    const { value: most } = LIMITS.faults;
    if (this.#rules.length >= most)
      throw new Problem(409, 'too_many_faults', `A session has at most ${most} faults. Delete some.`);
    const bytes = RULE_BYTES + sizeOfValue(rule.rule);
    this.#ledger?.hold(bytes);
    const live = this.#create(rule);
    live.isAdded = true;
    live.bytes = bytes;
    const added = place === 'first' ? 0 : this.#rules.filter(({ isAdded }) => isAdded).length;
    this.#rules.splice(added, 0, live);
    return live.id;
  }

  /** Removes a rule. Returns whether it existed. */
  remove(id: string): boolean {
    const rule = this.#rules.find((each) => each.id === id);
    if (rule) this.#drop([rule]);
    return rule !== undefined;
  }

  /** Removes all rules. Delays stay. */
  clear(): void {
    this.#drop(this.#rules);
  }

  /** The rules in the order in which they are asked: those that were added to the session, then those of the options. */
  list(): RuleInfo[] {
    return this.#rules.map((live) => live.info());
  }

  /** The rules that were added to the session. */
  added(): FaultRule[] {
    return this.#rules.filter(({ isAdded }) => isAdded).map(({ checked }) => checked.rule);
  }

  #drop(rules: readonly LiveRule[]): void {
    for (const rule of rules) {
      this.#ledger?.spend(-rule.bytes);
      rule.end();
    }
    this.#rules = this.#rules.filter((rule) => !rules.includes(rule));
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
    return new LiveRule('header', rule, this.#headerChance, undefined).strike(asked, []);
  }

  #create(rule: CheckedRule): LiveRule {
    this.#lastId += 1;
    const id = String(this.#lastId);
    const random = createRandom(`${this.#seed}:fault:${id}:${rule.rule.operation}`);
    return new LiveRule(id, rule, random, this.#ledger);
  }

  #drawDelays(): Random {
    this.#chance ??= createRandom(`${this.#seed}:delay`);
    return this.#chance;
  }
}

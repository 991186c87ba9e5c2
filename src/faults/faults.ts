import { STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http';
import { createRandom, type Random } from '../generate/generate.ts';
import { toHeaderName } from '../message/message.ts';
import { findResponse, type Operation, type OperationTable } from '../operations/operations.ts';
import { Problem, SetupError } from '../problem.ts';
import { toSetupWarning } from '../setup-code.ts';
import { buildDelays, type DelayOption, type Delays } from './delays.ts';
import { findCodeDoubt } from './shown-codes.ts';

export { ALL_OTHERS, type Delay, type DelayOption } from './delays.ts';

/** A rule that replaces or delays the answers of one operation. */
export interface FaultRule {
  /** An operationId, or a label such as `GET /store/orders`. */
  readonly operation: string;
  /** The error status of the answer; a rule without one only delays. */
  readonly status?: number;
  /** The error code; the status phrase in snake_case unless given. */
  readonly code?: string;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds to wait first. */
  readonly delay?: number;
  /** The share of requests to hit, from 0 to 1; 1 by default. */
  readonly probability?: number;
  /** The number of requests to hit; unlimited by default. */
  readonly times?: number;
}

/** The effect of rules and delays on one request. */
export interface Fault {
  /** Milliseconds. */
  readonly delay: number;
  readonly problem: Problem | undefined;
}

/** The rules and delays of a service, checked against its document. */
export interface FaultRules {
  readonly rules: readonly CheckedRule[];
  readonly delays: Delays;
  /** Makes probabilities and delays repeatable. */
  readonly seed: number;
  /** A sentence for every rule that is probably mistyped. */
  readonly warnings: readonly string[];
}

interface CheckedRule {
  readonly rule: FaultRule;
  readonly operation: Operation;
}

/** The faults of one session, with counters and random sources of its own. */
export interface Faults {
  /** True if no request can be hit. */
  readonly none: boolean;
  /** Decides the fault of a request. The first rule that hits wins. */
  decide(operation: Operation): Fault | undefined;
}

const RULE =
  /^(?<operation>.+?)=(?<status>\d+)(?::(?<code>[A-Za-z0-9_.-]+?))?(?:@(?<share>\d*\.?\d+))?(?:x(?<times>\d+))?$/;

/** Reads the short form: OPERATION=STATUS[:CODE][@PROBABILITY][xTIMES]. Throws a SetupError for anything else. */
export function parseFaultRule(text: string): FaultRule {
  const parts = RULE.exec(text.trim())?.groups;
  if (!parts?.operation || !parts.status) {
    throw usage(
      `Invalid error rule "${text}". Write OPERATION=STATUS, like getPet=503, createPet=409:duplicate_pet, 'GET /store/orders=500@0.2' or placeOrder=429x2.`,
    );
  }
  return {
    operation: parts.operation,
    status: Number(parts.status),
    ...(parts.code !== undefined && { code: parts.code }),
    ...(parts.share !== undefined && { probability: Number(parts.share) }),
    ...(parts.times !== undefined && { times: Number(parts.times) }),
  };
}

/** Checks rules against the operations of a document. Throws a SetupError for a rule that the document does not allow. */
export function buildFaultRules(
  rules: readonly (string | FaultRule)[],
  delay: DelayOption,
  table: Pick<OperationTable, 'find' | 'hint'>,
  seed: number,
): FaultRules {
  const parsed = rules.map((rule) => (typeof rule === 'string' ? parseFaultRule(rule) : rule));
  const checked = parsed.map((rule) => ({ rule, operation: checkRule(rule, table) }));
  return { rules: checked, delays: buildDelays(delay, table), seed, warnings: checked.flatMap(doubtCode) };
}

/** Doubts an error code that the document does not show. It is sent all the same, because a document need not show every code. */
function doubtCode({ rule: { operation: name, status, code }, operation }: CheckedRule): string[] {
  if (status === undefined || code === undefined) return [];
  const doubt = findCodeDoubt(operation, status, code);
  return doubt === undefined
    ? []
    : [
        toSetupWarning(
          `The error rule ${name}=${status}:${code} has a code that ${doubt}`,
          'error-code-undeclared',
        ),
      ];
}

/** Creates the faults of a fresh session. */
export function createFaults({ rules, delays, seed }: FaultRules): Faults {
  const chance = createRandom(`${seed}:delay`);
  const live: LiveRule[] = rules.map(({ rule, operation }, index) => ({
    rule,
    operation,
    random: createRandom(`${seed}:fault:${index}:${rule.operation}`),
    left: rule.times ?? Number.POSITIVE_INFINITY,
  }));
  return {
    none: live.length === 0 && delays.none,
    decide(operation) {
      const hit = live.find((each) => hits(each, operation));
      const fault = hit && toFault(hit.rule);
      const [from, to] = delays.of(operation);
      if (to === 0) return fault;
      return { problem: fault?.problem, delay: from + chance() * (to - from) + (fault?.delay ?? 0) };
    },
  };
}

/** The faults of a session without rules and delays. */
export const NO_FAULTS: Faults = { none: true, decide: () => undefined };

interface LiveRule extends CheckedRule {
  readonly random: Random;
  left: number;
}

function hits(live: LiveRule, operation: Operation): boolean {
  if (live.operation !== operation || live.left === 0) return false;
  if (live.random() >= (live.rule.probability ?? 1)) return false;
  live.left -= 1;
  return true;
}

function toFault(rule: FaultRule): Fault {
  const { status, delay = 0 } = rule;
  const headers = Object.fromEntries(
    Object.entries(rule.headers ?? {}).map(([name, value]) => [toHeaderName(name), value]),
  );
  if (status === undefined) return { delay, problem: undefined };
  const message = rule.message ?? `An error rule replaced the answer to ${rule.operation}.`;
  return {
    delay,
    problem: new Problem(status, rule.code ?? toCode(status), message, { headers }),
  };
}

/** `503` → `service_unavailable` */
export function toCode(status: number): string {
  const phrase = STATUS_CODES[status] ?? `status ${status}`;
  return phrase
    .toLowerCase()
    .replaceAll("'", '')
    .replace(/[^a-z0-9]+/g, '_');
}

function checkRule(rule: FaultRule, table: Pick<OperationTable, 'find' | 'hint'>): Operation {
  const operation = table.find(rule.operation);
  const name = rule.status === undefined ? rule.operation : `${rule.operation}=${rule.status}`;
  if (!operation) {
    throw usage(
      `The error rule ${name} names an unknown operation.${table.hint(rule.operation)} "petstore-mock routes" lists the operations.`,
    );
  }
  if (rule.status !== undefined) {
    if (rule.status < 400 || rule.status > 599) {
      throw usage(`The error rule ${name} has a status that is not an error. Choose one from 400 to 599.`);
    }
    if (!findResponse(operation, rule.status)) {
      const declared = operation.responses.map(({ code }) => code).join(', ');
      throw usage(
        `The error rule ${name} has a status that the document does not declare. It declares ${declared}.`,
      );
    }
  }
  if (rule.probability !== undefined && !(rule.probability >= 0 && rule.probability <= 1)) {
    throw usage(`The error rule ${name} has the probability ${rule.probability}. Choose one from 0 to 1.`);
  }
  for (const [header, value] of Object.entries(rule.headers ?? {})) checkHeader(name, header, value);
  if (rule.times === 0) throw usage(`The error rule ${name} can never hit a request. Choose x1 or more.`);
  return operation;
}

function checkHeader(rule: string, header: string, value: string): void {
  try {
    validateHeaderName(header);
    validateHeaderValue(header, value);
  } catch (cause) {
    throw usage(`The error rule ${rule} has a header that HTTP does not allow: ${(cause as Error).message}.`);
  }
}

function usage(message: string): SetupError {
  return new SetupError('error-rule-invalid', message, { usage: true });
}

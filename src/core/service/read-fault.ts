import {
  type CheckedRule,
  checkRule,
  type FaultRule,
  type FaultTable,
  parseSequence,
} from '../../answer/faults/faults.ts';
import { Problem, SetupError } from '../../base/problem.ts';
import type { Operation } from '../../model/operations/operations.ts';
import { findRuleMistake } from './fault-readers.ts';
import type { ServiceOptions } from './service-options.ts';

/** Reads the rules that clients and tests give. */
export interface ReadFault {
  /** Throws a 422 Problem for a rule with a mistake, or one that the document does not allow. */
  readFault(given: unknown): CheckedRule;
  /** Reads the header X-Mock-Fault of a request: the JSON of a rule without its operation, a status or an effect. Throws a 400 Problem. */
  readFaultHeader(text: string, operation: Operation): CheckedRule;
}

type Refuse = (message: string) => Problem;

/** Builds the reader of rules for the operations of a document. */
export function buildReadFault(table: FaultTable): ReadFault {
  const read = (given: unknown, refuse: Refuse): CheckedRule => {
    const mistake = findRuleMistake(given);
    if (mistake !== undefined)
      throw refuse(`The fault has a mistake: ${mistake.endsWith('?') ? mistake : `${mistake}.`}`);
    try {
      return checkRule(given as FaultRule, table);
    } catch (error) {
      throw error instanceof SetupError ? refuse(error.message) : error;
    }
  };
  return {
    readFault: (given) => read(given, refuseRule),
    readFaultHeader: (text, operation) =>
      read({ ...parseHeader(text), operation: operation.id }, refuseHeader),
  };
}

/** The rules of all options, in the order in which they are asked. */
export function toRules({
  errors = [],
  faults = [],
  rateLimit = [],
}: ServiceOptions): (string | FaultRule)[] {
  const limits = rateLimit.map((limit) => ({ operation: '*', rateLimit: limit }));
  return [...limits, ...errors, ...faults];
}

function parseHeader(text: string): object {
  const [item, ...others] = parseSequence(text) ?? [];
  if (item !== undefined && others.length === 0)
    return typeof item === 'number' ? { status: item } : { effect: item };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The same mistake as JSON of another kind.
  }
  const message =
    'X-Mock-Fault is not a fault. Write {"status": 503}, {"effect": "reset", "delay": 200}, or only 503 or reset.';
  throw refuseHeader(message);
}

const refuseRule: Refuse = (message) => new Problem(422, 'fault_invalid', message);
const refuseHeader: Refuse = (message) => new Problem(400, 'fault_invalid', message);

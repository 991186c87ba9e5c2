import { toSetupWarning } from '../../base/setup-code.ts';
import { type CheckedRule, checkRule } from './check-rule.ts';
import { buildDelays, type DelayOption, type Delays } from './delays.ts';
import { type FaultRule, toRuleName } from './fault-rule.ts';
import type { FaultTable } from './operation-pattern.ts';
import { parseFaultRule } from './short-form.ts';
import { findCodeDoubt } from './shown-codes.ts';

/** The rules and delays of a service, checked against its document. */
export interface FaultRules {
  readonly rules: readonly CheckedRule[];
  readonly delays: Delays;
  /** A sentence for every rule that is probably mistyped. */
  readonly warnings: readonly string[];
}

/** Neither rules nor delays. */
export const NO_RULES: FaultRules = { rules: [], delays: { none: true, of: () => 0 }, warnings: [] };

/** Checks rules against the operations of a document. Throws a SetupError for a rule that the document does not allow. */
export function buildFaultRules(
  given: readonly (string | FaultRule)[],
  delay: DelayOption,
  table: FaultTable,
): FaultRules {
  const rules = given.map((rule) => checkRule(typeof rule === 'string' ? parseFaultRule(rule) : rule, table));
  return { rules, delays: buildDelays(delay, table), warnings: rules.flatMap(doubtCode) };
}

/** Doubts an error code that the document does not show. It is sent all the same, because a document need not show every code. */
function doubtCode({ rule, pattern: { operations } }: CheckedRule): string[] {
  const { status, code } = rule;
  const [operation] = operations;
  if (status === undefined || code === undefined || operation === undefined || operations.size > 1) return [];
  const doubt = findCodeDoubt(operation, status, code);
  const message = `The fault ${toRuleName(rule)}:${code} has a code that ${doubt}`;
  return doubt === undefined ? [] : [toSetupWarning(message, 'error-code-undeclared')];
}

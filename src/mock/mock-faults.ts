import type { FaultEffect, FaultRule, RuleInfo } from '../answer/faults/faults.ts';
import { parseFaultRule } from '../answer/faults/faults.ts';
import type { Session } from '../core/service/service.ts';

/** The faults of a session. */
export interface MockFaults {
  /**
   * Adds a rule behind those that were added before, and returns its id. It is asked before those of the options. Throws an `Error` for
   * what the document does not allow.
   */
  add(rule: string | FaultRule): string;
  /** The rules in the order in which they are asked, with their ids and how many requests they have hit. */
  list(): RuleInfo[];
  /** Removes a rule. Returns whether it existed. */
  remove(id: string): boolean;
  /** Removes all rules, those of the options too. */
  clear(): void;
}

/** Creates the handle of a session's faults. */
export function createMockFaults(use: () => Session): MockFaults {
  return {
    add: (rule) => addFault(use(), typeof rule === 'string' ? parseFaultRule(rule) : rule),
    list: () => use().faults.list(),
    remove: (id) => use().faults.remove(id),
    clear: () => use().faults.clear(),
  };
}

function addFault({ service, faults }: Session, rule: FaultRule, place?: 'first'): string {
  return faults.add(service.readFault(rule), place);
}

/** The rules that `fail` added, by session and operation. */
const failures = new WeakMap<Session['faults'], Map<string, string>>();

/** Lets an operation fail, before all other rules. */
export function failOperation(
  session: Session,
  operation: string,
  fault: number | FaultEffect | Omit<FaultRule, 'operation'>,
): string {
  const { faults } = session;
  const id = addFault(session, { ...toRule(fault), operation }, 'first');
  const known = failures.get(faults) ?? new Map<string, string>();
  failures.set(faults, known);
  faults.remove(known.get(operation) ?? '');
  known.set(operation, id);
  return id;
}

function toRule(fault: number | FaultEffect | Omit<FaultRule, 'operation'>): Omit<FaultRule, 'operation'> {
  if (typeof fault === 'number') return { status: fault };
  return typeof fault === 'string' ? { effect: fault } : fault;
}

import type { Operation, OperationTable } from '../../model/operations/operations.ts';
import { couldMatch, matchesPath, readPathPattern } from './path-pattern.ts';

/** The operations that a rule means, and of these the paths. */
export interface OperationPattern {
  readonly operations: ReadonlySet<Operation>;
  /** Whether a path of one of these operations is meant. */
  readonly isPath: (path: string) => boolean;
}

/** The parts of a document's operations that patterns need. */
export type FaultTable = Pick<OperationTable, 'operations' | 'find' | 'hint' | 'probe'>;

const ALL = '*';
const ANY_PATH = () => true;

/** Reads the operations of a rule: `*`, an operationId, a label, or a path with or without a method. `undefined` if it means none. */
export function readOperationPattern(text: string, table: FaultTable): OperationPattern | undefined {
  const { operations } = table;
  if (text === ALL) return { operations: new Set(operations), isPath: ANY_PATH };
  const named = table.find(text);
  if (named) return { operations: new Set([named]), isPath: ANY_PATH };
  const [, method, path] = /^(?:([A-Z]+) )?(\/.*)$/s.exec(text) ?? [];
  if (path === undefined) return undefined;
  const found = findOperations(table, method, path);
  if (found.length === 0) return undefined;
  const isTemplate = found.some((operation) => operation.path === path);
  const pattern = readPathPattern(path);
  return {
    operations: new Set(found),
    isPath: isTemplate ? ANY_PATH : (asked) => matchesPath(pattern, asked),
  };
}

function findOperations(table: FaultTable, method: string | undefined, path: string): Operation[] {
  const candidates = table.operations.filter((each) => method === undefined || each.method === method);
  const same = candidates.filter((each) => each.path === path);
  if (same.length > 0) return same;
  if (!/[*{]/.test(path)) {
    const methods = new Set(candidates.map((each) => each.method));
    const probed = [...methods].map((each) => table.probe(each, path));
    return candidates.filter((each) => probed.includes(each));
  }
  const pattern = readPathPattern(path);
  return candidates.filter((each) =>
    ['', ...each.bases].some((base) => couldMatch(pattern, base + each.path)),
  );
}

import { type Diagnostic, type Mistake, toDiagnostic } from './diagnostic.ts';
import { define, type Mapping } from './mapping.ts';
import type { SanitizedOperation, SanitizedPath } from './sanitize-paths.ts';
import { below, toMistake, type Unit } from './unit.ts';

/** The operations that can be served, and diagnostics for the others. */
interface SelectedOperations {
  /** By path and method. */
  readonly paths: Mapping;
  readonly count: number;
  /** The labels and operationIds of the others. */
  readonly leftOut: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Selects every operation that can be served, and the first one of two with the same route. */
export function selectOperations(
  paths: readonly SanitizedPath[],
  broken: ReadonlyMap<Unit, Mistake>,
): SelectedOperations {
  const selected: Record<string, unknown> = {};
  const diagnostics: Diagnostic[] = [];
  const names: Names = { routes: new Map(), ids: new Map() };
  const leftOut = new Set<string>();
  let count = 0;
  for (const path of paths) {
    const item: Record<string, unknown> = { ...path.members };
    const operations = takeOperations(path, broken, names, diagnostics);
    for (const { method, members } of operations) item[method] = members;
    if (operations.length > 0) define(selected, path.path, item);
    count += operations.length;
    for (const { unit, members } of path.operations) {
      if (operations.some((operation) => operation.unit === unit)) continue;
      leftOut.add(unit.label).add(String(members.operationId));
    }
  }
  return { paths: selected, count, leftOut, diagnostics };
}

/** The names that must be unique, with their first use. */
interface Names {
  /** The path, by method and path without the names of its parameters. */
  readonly routes: Map<string, string>;
  /** The label, by operationId. */
  readonly ids: Map<string, string>;
}

function takeOperations(
  path: SanitizedPath,
  broken: ReadonlyMap<Unit, Mistake>,
  names: Names,
  diagnostics: Diagnostic[],
) {
  const mistake = broken.get(path.unit);
  if (mistake) {
    diagnostics.push(toDiagnostic('left out', path.path, mistake));
    return [];
  }
  return path.operations.flatMap((operation) => {
    const reason = broken.get(operation.unit) ?? findDuplicate(path, operation, names);
    if (!reason) return [withUniqueId(operation, names, diagnostics)];
    diagnostics.push(toDiagnostic('left out', operation.unit.label, reason));
    return [];
  });
}

function findDuplicate(
  { path, here }: SanitizedPath,
  { method }: SanitizedOperation,
  { routes }: Names,
): Mistake | undefined {
  const route = `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`;
  const first = routes.get(route);
  if (first === undefined) routes.set(route, path);
  return first === undefined
    ? undefined
    : toMistake(
        here,
        'path-duplicate',
        `"${path}" and "${first}" are the same path`,
        'Merge the two into one.',
      );
}

/** Removes a duplicate operationId, so that the operation goes by its label like those without one. */
function withUniqueId(
  operation: SanitizedOperation,
  { ids }: Names,
  diagnostics: Diagnostic[],
): SanitizedOperation {
  const { members, unit, here } = operation;
  const { operationId, ...others } = members;
  if (typeof operationId !== 'string') return operation;
  const first = ids.get(operationId);
  if (first === undefined) {
    ids.set(operationId, unit.label);
    return operation;
  }
  const reason = `"${operationId}" is also the operationId of ${first}, so this one goes by method and path`;
  const at = below(here, 'operationId');
  const mistake = toMistake(at, 'operation-id-duplicate', reason, 'Rename one of them.');
  diagnostics.push(toDiagnostic('changed', unit.label, mistake));
  return { ...operation, members: others };
}

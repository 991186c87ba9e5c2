import type { MendedOperation, MendedPath } from './mend-operations.ts';
import { type Mistake, type Note, toNote } from './note.ts';
import { below, define, toMistake, type Unit } from './unit.ts';

/** The operations that can be served, and why the others are not. */
export interface Selection {
  /** By path and method, as the document is to have them. */
  readonly paths: Readonly<Record<string, unknown>>;
  readonly count: number;
  /** The labels and operationIds of those that cannot be served. */
  readonly leftOut: ReadonlySet<string>;
  readonly notes: readonly Note[];
}

/** Takes every operation that can be served, and of two that are called the same the first one. */
export function selectOperations(
  paths: readonly MendedPath[],
  broken: ReadonlyMap<Unit, Mistake>,
): Selection {
  const selected: Record<string, unknown> = {};
  const notes: Note[] = [];
  const names: Names = { routes: new Map(), ids: new Map() };
  const leftOut = new Set<string>();
  let count = 0;
  for (const path of paths) {
    const item: Record<string, unknown> = { ...path.members };
    const operations = takeOperations(path, broken, names, notes);
    for (const { method, members } of operations) item[method] = members;
    if (operations.length > 0) define(selected, path.path, item);
    count += operations.length;
    for (const { unit, members } of path.operations) {
      if (operations.some((operation) => operation.unit === unit)) continue;
      leftOut.add(unit.label).add(String(members.operationId));
    }
  }
  return { paths: selected, count, leftOut, notes };
}

/** What must not come twice, and where it came first. */
interface Names {
  /** Method and path without the names of its parameters → path. */
  readonly routes: Map<string, string>;
  readonly ids: Map<string, string>;
}

function takeOperations(path: MendedPath, broken: ReadonlyMap<Unit, Mistake>, names: Names, notes: Note[]) {
  const mistake = broken.get(path.unit);
  if (mistake) {
    notes.push(toNote('left out', path.path, mistake));
    return [];
  }
  return path.operations.flatMap((operation) => {
    const reason = broken.get(operation.unit) ?? findTwin(path, operation, names);
    if (!reason) return [withOwnId(operation, names, notes)];
    notes.push(toNote('left out', operation.unit.label, reason));
    return [];
  });
}

function findTwin(
  { path, here }: MendedPath,
  { method }: MendedOperation,
  { routes }: Names,
): Mistake | undefined {
  const route = `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`;
  const twin = routes.get(route);
  if (twin === undefined) routes.set(route, path);
  return twin === undefined
    ? undefined
    : toMistake(here, `"${path}" and "${twin}" are the same path`, 'Merge the two into one.');
}

/** Two of one operationId could not be told apart: the second one is called by its label, like those that have none. */
function withOwnId(operation: MendedOperation, { ids }: Names, notes: Note[]): MendedOperation {
  const { members, unit, here } = operation;
  const { operationId, ...others } = members;
  if (typeof operationId !== 'string') return operation;
  const twin = ids.get(operationId);
  if (twin === undefined) {
    ids.set(operationId, unit.label);
    return operation;
  }
  const reason = `"${operationId}" is also the operationId of ${twin}, so this one goes by method and path`;
  notes.push(
    toNote('changed', unit.label, toMistake(below(here, 'operationId'), reason, 'Rename one of them.')),
  );
  return { ...operation, members: others };
}

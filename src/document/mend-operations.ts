import { mend } from './mend.ts';
import { follow } from './mend-reference.ts';
import { isMapping, kindOf, toNote } from './note.ts';
import type { Kind } from './shapes.ts';
import { below, complain, createUnit, define, type Here, ignore, toMistake, type Unit } from './unit.ts';

/** A path of a document, mended. */
export interface MendedPath {
  readonly path: string;
  readonly unit: Unit;
  readonly here: Here;
  /** What holds for all its operations. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly operations: readonly MendedOperation[];
}

export interface MendedOperation {
  /** In lower case. */
  readonly method: string;
  readonly unit: Unit;
  readonly here: Here;
  readonly members: Readonly<Record<string, unknown>>;
}

/** Every path and every operation, each in a unit of its own. */
export function mendPaths(paths: Readonly<Record<string, unknown>>, here: Here): MendedPath[] {
  return Object.entries(paths)
    .filter(([path]) => !path.startsWith('x-'))
    .map(([path, item]) => mendPath(path, item, below({ ...here, unit: createUnit(here.walk, path) }, path)));
}

function mendPath(path: string, item: unknown, here: Here): MendedPath {
  const { unit } = here;
  const nothing = { path, unit, here, members: {}, operations: [] };
  if (!path.startsWith('/')) {
    complain(here, `the path "${path}" must start with "/"`, `Write "/${path}".`);
    return nothing;
  }
  const found = follow(item, here);
  if (!found) return nothing;
  if (!isMapping(found.node)) {
    complain(found.here, `expected a mapping, got ${kindOf(found.node)}`, 'Put the operations under it.');
    return nothing;
  }
  const operations: MendedOperation[] = [];
  for (const [key, value] of Object.entries(found.node)) {
    if (METHODS.has(key)) operations.push(mendOperation(path, key, value, found.here));
    else if (METHODS.has(key.toLowerCase()))
      ignore(below(found.here, key), 'a method is written in small letters', `Write "${key.toLowerCase()}".`);
  }
  const inherited = found.node[MARK];
  return {
    path,
    unit,
    here,
    members: mendMembers(found.node, here.walk.format.path, found.here),
    operations: inherited === undefined ? operations : operations.map((each) => withMark(each, inherited)),
  };
}

function withMark(operation: MendedOperation, mark: unknown): MendedOperation {
  return { ...operation, members: { [MARK]: mark, ...operation.members } };
}

/** What a path says of its operations by this, the conversion would drop. */
const MARK = 'x-mock-resource';

/** The keys of a path item that are operations. */
export const METHODS: ReadonlySet<string> = new Set([
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
]);

function mendOperation(path: string, method: string, value: unknown, above: Here): MendedOperation {
  const unit = createUnit(above.walk, `${method.toUpperCase()} ${path}`);
  unit.uses.add(above.unit);
  const found = follow(value, below({ ...above, unit }, method));
  const here = found?.here ?? above;
  const nothing = { method, unit, here, members: {} };
  if (!found) return nothing;
  if (!isMapping(found.node)) {
    complain(here, `expected a mapping, got ${kindOf(found.node)}`, 'Describe the operation there.');
    return nothing;
  }
  const members = mendMembers(found.node, here.walk.format.operation, here);
  members.responses = mendResponses(found.node.responses, here);
  return { method, unit, here, members };
}

function mendMembers(
  node: Readonly<Record<string, unknown>>,
  kinds: Readonly<Record<string, Kind>>,
  here: Here,
): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (METHODS.has(key) || key === 'responses') continue;
    const kind = Object.hasOwn(kinds, key) ? kinds[key] : undefined;
    const mended = kind === undefined ? value : mend(value, kind, below(here, key));
    if (mended !== undefined) define(members, key, mended);
  }
  return members;
}

function mendResponses(node: unknown, above: Here): Readonly<Record<string, unknown>> {
  if (!isMapping(node ?? {})) {
    complain(
      below(above, 'responses'),
      `expected a mapping, got ${kindOf(node)}`,
      'Put the responses under it.',
    );
    return {};
  }
  const members = (node ?? {}) as Readonly<Record<string, unknown>>;
  const statuses = Object.keys(members).filter((status) => !status.startsWith('x-'));
  if (statuses.length === 0) return toUnsaid(node, above);
  const responses = {};
  for (const status of statuses) {
    const here = below(below(above, 'responses'), status);
    if (STATUS.test(status)) define(responses, status, mend(members[status], 'response', here));
    else complain(here, `"${status}" is no status`, 'Write one like 200, 4XX or default.');
  }
  return responses;
}

/** Of what is declared with no response at all, OpenAPI 3.1 allows it, it is not said what success is. */
function toUnsaid(node: unknown, here: Here): Readonly<Record<string, unknown>> {
  const { walk, unit } = here;
  if (walk.format.mustRespond || isMapping(node)) {
    const reason = 'the operation has no "responses", so it answers 200 without content';
    const mistake = toMistake(here, reason, 'Declare at least one response.');
    walk.notes.push(toNote('changed', unit.label, mistake));
  }
  return { 200: { description: '' } };
}

const STATUS = /^([1-5](\d\d|XX)|default)$/i;

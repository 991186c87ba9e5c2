import { joinBodyParameters } from './body-parameters.ts';
import type { Kind } from './format.ts';
import { define, isMapping, kindOf, type Mapping, mapMembers } from './mapping.ts';
import { sanitize } from './sanitize.ts';
import { follow } from './sanitize-reference.ts';
import { below, complain, createUnit, type Here, ignore, report, toMistake, type Unit, use } from './unit.ts';

/** A sanitized path of a document. */
export interface SanitizedPath {
  readonly path: string;
  readonly unit: Unit;
  readonly here: Here;
  /** The members that apply to all its operations. */
  readonly members: Mapping;
  readonly operations: readonly SanitizedOperation[];
}

export interface SanitizedOperation {
  /** In lower case. */
  readonly method: string;
  readonly unit: Unit;
  readonly here: Here;
  readonly members: Mapping;
}

/** Sanitizes every path and every operation, each in a unit of its own. */
export function sanitizePaths(paths: Mapping, here: Here): SanitizedPath[] {
  return Object.entries(paths)
    .filter(([path]) => !path.startsWith('x-'))
    .map(([path, item]) =>
      sanitizePath(path, item, below({ ...here, unit: createUnit(here.walk, path) }, path)),
    );
}

function sanitizePath(path: string, item: unknown, here: Here): SanitizedPath {
  const { unit } = here;
  const empty = { path, unit, here, members: {}, operations: [] };
  if (!path.startsWith('/')) {
    complain(here, 'path-invalid', `the path "${path}" must start with "/"`, `Write "/${path}".`);
    return empty;
  }
  const dots = path.split('/').find((segment) => DOTS.test(segment));
  if (dots !== undefined) {
    const reason = `the path "${path}" has the segment "${dots}", which clients resolve before they send a request`;
    complain(here, 'path-invalid', reason, 'Write the path without it.');
    return empty;
  }
  const found = followToMapping(item, here, 'Put the operations under it.');
  if (!found) return empty;
  const operations: SanitizedOperation[] = [];
  for (const [key, value] of Object.entries(found.node)) {
    const method = key.toLowerCase();
    if (OPERATION_METHODS.has(key)) operations.push(sanitizeOperation(path, key, value, found.here));
    else if (OPERATION_METHODS.has(method))
      ignore(below(found.here, key), 'method-invalid', 'methods are in lower case', `Write "${method}".`);
  }
  const inherited = found.node[RESOURCE_EXTENSION];
  return {
    path,
    unit,
    here,
    members: sanitizeMembers(found.node, here.walk.format.path, found.here),
    operations:
      inherited === undefined ? operations : operations.map((each) => withResource(each, inherited)),
  };
}

/** Dot segments, which lead to other paths (RFC 3986 section 5.2.4). */
const DOTS = /^(\.|%2e){1,2}$/i;

function followToMapping(node: unknown, above: Here, remedy: string) {
  const found = follow(node, above);
  if (!found) return undefined;
  if (isMapping(found.node)) return { node: found.node, here: found.here };
  return complain(found.here, 'type-unexpected', `expected a mapping, got ${kindOf(found.node)}`, remedy);
}

function withResource(operation: SanitizedOperation, resource: unknown): SanitizedOperation {
  return { ...operation, members: { [RESOURCE_EXTENSION]: resource, ...operation.members } };
}

/** The operations inherit this extension of their path, which the conversion would drop. */
const RESOURCE_EXTENSION = 'x-mock-resource';

/** The keys of a path item that are operations. */
export const OPERATION_METHODS: ReadonlySet<string> = new Set(
  'get put post delete options head patch trace query'.split(' '),
);

function sanitizeOperation(path: string, method: string, value: unknown, above: Here): SanitizedOperation {
  const unit = createUnit(above.walk, `${method.toUpperCase()} ${path}`);
  use(unit, above.unit);
  const found = followToMapping(value, below({ ...above, unit }, method), 'Describe the operation there.');
  if (!found) return { method, unit, here: above, members: {} };
  const { node, here } = found;
  const joined = joinBodyParameters(node, method, here);
  const members = sanitizeMembers(joined, here.walk.format.operation, here);
  members.responses = sanitizeResponses(node.responses, here);
  return { method, unit, here, members };
}

function sanitizeMembers(
  node: Mapping,
  kinds: Readonly<Record<string, Kind>>,
  here: Here,
): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (OPERATION_METHODS.has(key) || key === 'responses') continue;
    const kind = Object.hasOwn(kinds, key) ? kinds[key] : undefined;
    const sanitized = kind === undefined ? value : sanitize(value, kind, below(here, key));
    if (sanitized !== undefined) define(members, key, sanitized);
  }
  return members;
}

function sanitizeResponses(node: unknown, above: Here): Mapping {
  const members = node ?? {};
  const here = below(above, 'responses');
  if (!isMapping(members)) {
    const reason = `expected a mapping, got ${kindOf(node)}`;
    complain(here, 'type-unexpected', reason, 'Put the responses under it.');
    return {};
  }
  let isEmpty = true;
  const responses = mapMembers(members, !here.source.isTree, (response, status) => {
    if (status.startsWith('x-')) return undefined;
    isEmpty = false;
    const at = below(here, status);
    if (RESPONSE_CODE.test(status)) return sanitize(response, 'response', at);
    return complain(
      at,
      'status-invalid',
      `invalid status "${status}"`,
      'Write one like 200, 4XX or default.',
    );
  });
  return isEmpty ? toDefaultResponses(node, above) : responses;
}

/** Only OpenAPI 3.1 allows an operation without responses. */
function toDefaultResponses(node: unknown, here: Here): Mapping {
  const { walk, unit } = here;
  if (walk.format.mustRespond || isMapping(node)) {
    const reason = 'the operation has no "responses", so it answers 200 without content';
    const mistake = toMistake(here, 'responses-missing', reason, 'Declare at least one response.');
    report(walk, 'changed', unit.label, mistake);
  }
  return { 200: { description: '' } };
}

const RESPONSE_CODE = /^([1-5](\d\d|XX)|default)$/i;

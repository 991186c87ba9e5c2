import { SetupError } from '../../base/problem.ts';
import type { Operation } from '../operations/operations.ts';
import type { FindParents } from './actions.ts';
import type { ActionName, Resource, ResourceAction } from './model.ts';
import { readMark } from './overrides.ts';
import { toNamedParents } from './parents.ts';

const BY_KEY: readonly ActionName[] = ['read', 'replace', 'update', 'remove', 'act'];

/** The action that `x-mock-resource` names, unless its resource is off. Throws a SetupError for an unknown resource. */
export function toMarkedAction(
  operation: Operation,
  resources: ReadonlyMap<string, Resource>,
  isOff: (name: string) => boolean,
  findParents: FindParents,
): ResourceAction | undefined {
  const mark = readMark(operation);
  if (!mark || mark.action === undefined || isOff(mark.name ?? '')) return undefined;
  const { action: name } = mark;
  const resource = resources.get(mark.name ?? '');
  if (!resource) {
    const known = [...resources.keys()].join(', ') || 'none';
    throw new SetupError(
      'resource-mark-invalid',
      `${operation.label} has an x-mock-resource with the unknown resource "${mark.name}". The document has: ${known}.`,
    );
  }
  const all = findParents(operation.path, resource.properties, resource.key);
  const last = all.at(-1);
  const keyed = BY_KEY.includes(name) && resource.key !== undefined;
  const named = keyed && last !== undefined && all.length > resource.parents.length;
  const parents = named ? all.slice(0, -1) : all;
  const key = named ? { parameter: last.parameter } : keyed ? 'body' : undefined;
  return { name, resource, key, parents, within: toNamedParents(parents.slice(resource.parents.length)) };
}

import { once } from '../../base/once.ts';
import type { DirectionMark } from '../../schema/schema.ts';
import type { FindParents } from './actions.ts';
import type { ResourceCandidate } from './candidates.ts';
import type { Resource } from './model.ts';
import type { Paths } from './paths.ts';
import type { PlacedOperation } from './placed-operation.ts';
import { findPathKey } from './unshown.ts';

/** Builds the resource of a candidate. */
export function buildResource(
  paths: Paths,
  candidate: ResourceCandidate,
  name: string,
  findParents: FindParents,
): Resource {
  const { singular, collectionPath, itemPath, key, schema, reason } = candidate;
  const members = schema.sharedProperties;
  const properties = [...members.keys()];
  const marked = (mark: DirectionMark) =>
    [...members].flatMap(([property, node]) => (node.isMarked(mark) ? [property] : []));
  const item = [...(paths.get(itemPath ?? '')?.values() ?? [])];
  const reading = item.find(({ method }) => method === 'GET') ?? item[0];
  const parameterSchema = once(() => reading && findPathKey(reading)?.schema);
  const readOnly = once(() => marked('readOnly'));
  const writeOnly = once(() => marked('writeOnly'));
  return {
    name,
    singular,
    collectionPath,
    itemPath,
    key,
    location: toItemLocation(reading),
    get parameterSchema() {
      return parameterSchema();
    },
    parents: findParents(collectionPath, properties, key),
    schema,
    properties,
    required: schema.required,
    // Lazy: finding the marks resolves every property's schema, and only writes need them.
    get readOnly() {
      return readOnly();
    },
    get writeOnly() {
      return writeOnly();
    },
    reason,
  };
}

/** The path at which an item is read, else that of any other operation on it whose path has no verb. */
function toItemLocation(item: PlacedOperation | undefined): string | undefined {
  if (!item || item.keyIn !== undefined) return undefined;
  const { method, path, declared } = item;
  return method === 'GET' || declared.path.replace(/\/$/, '') === path ? declared.path : undefined;
}

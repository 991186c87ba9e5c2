import type { Entity } from './entity.ts';
import { type CollectionSnapshot, EMPTY_COLLECTION, type Snapshot, tableOf } from './snapshot.ts';
import type { Slot, Table } from './table.ts';
import { differences } from './tree-diff.ts';

/** What became of one entity between two snapshots. */
export interface Change {
  readonly resource: string;
  readonly scope: string;
  readonly key: string;
  /** `undefined` for an entity that is new. */
  readonly before: Entity | undefined;
  /** `undefined` for one that was deleted. */
  readonly after: Entity | undefined;
}

/**
 * The entities that are not the same object in both, in time proportional to their number: in each scope first the deleted ones, then
 * the others in their order. A scope without entities of its own has those without a scope.
 */
export function* diff(before: Snapshot, after: Snapshot): Generator<Change, undefined> {
  const names = new Set([...Object.keys(before.collections), ...Object.keys(after.collections)]);
  for (const resource of names) {
    const [was, is] = [collectionOf(before, resource), collectionOf(after, resource)];
    if (was === is) continue;
    for (const scope of ['', ...changedScopes(was, is)]) {
      const changes = diffTables(tableOf(was.parts, scope), tableOf(is.parts, scope));
      for (const { key, ...change } of changes) yield { resource, scope, key: String(key), ...change };
    }
  }
}

function collectionOf({ collections }: Snapshot, resource: string): CollectionSnapshot {
  const own = Object.hasOwn(collections, resource) ? collections[resource] : undefined;
  return own ?? EMPTY_COLLECTION;
}

function* changedScopes(before: CollectionSnapshot, after: CollectionSnapshot): Generator<string, undefined> {
  for (const { before: was, after: is } of differences(before.parts.scopes, after.parts.scopes)) {
    const scope = is ?? was;
    if (scope) yield scope.name;
  }
}

function diffTables(before: Table, after: Table) {
  if (before === after) return [];
  const found = [...differences(before.byKey, after.byKey)].filter(
    ({ before: was, after: is }) => was?.entity !== is?.entity,
  );
  return found
    .sort(
      (one, other) =>
        placeOf(one.after) - placeOf(other.after) || placeOf(one.before) - placeOf(other.before),
    )
    .map(({ before: was, after: is }) => ({
      key: (is ?? (was as Slot)).key,
      before: was?.entity,
      after: is?.entity,
    }));
}

/** Nothing comes before everything. */
function placeOf(slot: Slot | undefined): number {
  return slot?.place ?? -1;
}

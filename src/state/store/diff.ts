import type { Entity } from './entity.ts';
import { type CollectionSnapshot, EMPTY_COLLECTION, type Snapshot, tableOf } from './snapshot.ts';
import type { Slot, Table } from './table.ts';
import { differences } from './tree-diff.ts';

/** The change of one entity between two snapshots. */
export interface Change {
  readonly resource: string;
  readonly scope: string;
  readonly key: string;
  /** `undefined` for a new entity. */
  readonly before: Entity | undefined;
  /** `undefined` for a deleted entity. */
  readonly after: Entity | undefined;
}

/**
 * The entities that are not the same object in both snapshots, in time proportional to their number. Each scope starts with its
 * deleted entities. A scope without entities of its own shows those without a scope.
 */
export function* diff(before: Snapshot, after: Snapshot): Generator<Change, undefined> {
  const names = new Set([...Object.keys(before.collections), ...Object.keys(after.collections)]);
  for (const resource of names) {
    const [was, is] = [collectionIn(before, resource), collectionIn(after, resource)];
    if (was === is) continue;
    for (const scope of ['', ...changedScopes(was, is)]) {
      const changes = diffTables(tableOf(was.parts, scope), tableOf(is.parts, scope));
      for (const { key, ...change } of changes) yield { resource, scope, key: String(key), ...change };
    }
  }
}

function collectionIn({ collections }: Snapshot, resource: string): CollectionSnapshot {
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

/** Sorts a missing slot before every other. */
function placeOf(slot: Slot | undefined): number {
  return slot?.place ?? -1;
}

import { isObject, toPointer } from '../../schema/schema.ts';
import { type Change, diff, EMPTY_COLLECTION, type Entity, type Snapshot } from '../../state/store/store.ts';
import type { SavedSnapshot, Session } from './session.ts';
import { toStateOf } from './snapshots.ts';

/** An entity that only one of two states has. */
interface EntityChange {
  readonly resource: string;
  /** The keys of the entities above it, with "/" in between; absent for an entity below none. */
  readonly scope?: string;
  readonly key: string;
}

interface WholeChange extends EntityChange {
  readonly entity: Entity;
}

interface PartChange extends EntityChange {
  /** The values that differ, by JSON Pointer (RFC 6901). A value that one state lacks is absent. */
  readonly changes: readonly { readonly path: string; readonly before?: unknown; readonly after?: unknown }[];
}

/** The difference between two states of a session. */
export interface StateDiff {
  readonly added: readonly WholeChange[];
  readonly removed: readonly WholeChange[];
  readonly changed: readonly PartChange[];
}

/** Compares the state of a session with a snapshot, or with the state in which it began. */
export function diffState(session: Session, from: SavedSnapshot | undefined): StateDiff {
  const after = session.store.snapshot();
  const before = from ? toStateOf(session.service, from) : toFirst(session, Object.keys(after.collections));
  const changes = [...diff(toFull(session, before, after), toFull(session, after, before))]
    // Accounts are not a resource of the document.
    .filter(({ resource }) => session.service.model.resources.has(resource));
  return {
    added: changes.flatMap((each) => (each.before ? [] : toWhole(each, each.after))),
    removed: changes.flatMap((each) => (each.after ? [] : toWhole(each, each.before))),
    changed: changes.flatMap(toParts),
  };
}

function toPlace({ resource, scope, key }: Change): EntityChange {
  return { resource, ...(scope !== '' && { scope }), key };
}

function toWhole(change: Change, entity: Entity | undefined): WholeChange[] {
  return entity ? [{ ...toPlace(change), entity }] : [];
}

function toParts(change: Change): PartChange[] {
  const { before, after } = change;
  const changes = before && after ? [...compare(before, after, [])] : [];
  return changes.length > 0 ? [{ ...toPlace(change), changes }] : [];
}

/** The state in which a session began. */
function toFirst({ service }: Session, names: readonly string[]): Snapshot {
  return {
    collections: Object.fromEntries(
      names.map((name) => [name, service.initial.of(name) ?? EMPTY_COLLECTION]),
    ),
  };
}

/** A state with the resources that only another one has used, as they were at the start. */
function toFull(session: Session, { collections }: Snapshot, other: Snapshot): Snapshot {
  return { collections: { ...toFirst(session, Object.keys(other.collections)).collections, ...collections } };
}

type Difference = PartChange['changes'][number];

/** The values that differ, at the deepest places. Lists of different lengths differ as a whole. */
function* compare(
  before: unknown,
  after: unknown,
  path: readonly string[],
): Generator<Difference, undefined> {
  if (Object.is(before, after)) return;
  const isDeep = isObject(before) && isObject(after) && Array.isArray(before) === Array.isArray(after);
  const isSameList = !Array.isArray(before) || (after as unknown[]).length === before.length;
  if (!isDeep || !isSameList) {
    yield {
      path: toPointer(path),
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    };
    return;
  }
  const [one, other] = [before, after] as readonly Readonly<Record<string, unknown>>[];
  for (const name of new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})]))
    yield* compare(one?.[name], other?.[name], [...path, name]);
}

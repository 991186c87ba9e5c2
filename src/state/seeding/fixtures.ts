import { findNearest } from '../../base/find-nearest.ts';
import { toPlace } from '../../document/document.ts';
import type { Resource } from '../../model/resources/resources.ts';
import type { SchemaChecker } from '../../schema/schema.ts';
import {
  findStateList,
  type StateList,
  toEntityScope,
  toListedCollection,
  toStateListName,
} from '../lists/lists.ts';
import type { Snapshot } from '../store/store.ts';
import { type ReadEntity, type ReadingParts, readEntities } from './fixture-entities.ts';
import { createFixtureMistakes, type FixtureMistakes } from './fixture-mistakes.ts';
import { findMissingParents } from './fixture-parents.ts';
import {
  type FixtureList,
  type FixturePart,
  type FixturesOrigin,
  listFixtureParts,
} from './fixture-parts.ts';
import { buildFindMistyped } from './fixture-properties.ts';
import { createFixtureWarnings } from './fixture-warnings.ts';
import { buildRefersByKey } from './references.ts';

export type { FixturesOrigin } from './fixture-parts.ts';

/** The entities that a fresh session starts with, and their places in the files. */
export interface Fixtures {
  readonly snapshot: Snapshot;
  /** File and line of an entity; the fixtures as a whole if they do not have it. */
  locate(resource: string, key: string): string;
  /** A sentence for everything that is probably a mistake. */
  readonly warnings: readonly string[];
}

/** Lets files skip validation, or be ignored. */
export interface FixtureOptions {
  /** The texts of files that are known to be valid. */
  readonly checked: ReadonlySet<string>;
  /** Resources that were switched off. Their files are ignored. */
  readonly withoutState: readonly string[];
}

/** The parts of a service that fixtures are read with. */
interface FixtureParts {
  readonly resources: ReadonlyMap<string, Resource>;
  readonly schemas: SchemaChecker;
  readonly seed: number;
}

/** One list of the fixtures. */
interface LoadedList extends StateList {
  readonly list: FixtureList;
  readonly entities: ReadonlyMap<string, ReadEntity>;
}

/**
 * Reads lists of entities: for each resource one, and any number below other items. Throws a SetupError that names file, line and property of every mistake: unknown
 * resources, files that cannot be read, and entities that break their schema.
 */
export async function loadFixtures(
  origin: FixturesOrigin,
  parts: FixtureParts,
  { checked, withoutState }: FixtureOptions,
): Promise<Fixtures> {
  const { parts: found, notes } = await listFixtureParts(origin);
  const mistakes = createFixtureMistakes();
  const warnings = createFixtureWarnings(notes);
  const reading = toReadingParts(parts, mistakes, warnings.add);
  // By the names of the lists.
  const loaded = new Map<string, LoadedList>();
  for (const part of found) {
    if (withoutState.some((name) => part.name === name || part.name.startsWith(`${name}@`))) continue;
    const named = findList(part, parts.resources, loaded, mistakes);
    const list = named && (await part.read().catch(mistakes.addError));
    if (!named || !list) continue;
    const { text } = list.source;
    const isKnown = text !== undefined && checked.has(text);
    const entities = readEntities(isKnown ? withoutChecks(reading) : reading, list, named);
    loaded.set(toStateListName(named.resource, named.scope), { ...named, list, entities });
  }
  const byResource = groupByResource(loaded.values());
  for (const lists of byResource.values()) if (lists.length > 1) addRepeated(lists, mistakes);
  mistakes.throwIfAny();
  const keys = new Map([...byResource].map(([name, lists]) => [name, toKeys(lists)] as const));
  const hasEntity = (name: string, key: string) => keys.get(name)?.has(key) ?? false;
  for (const each of loaded.values()) warnOfParents(each, hasEntity, warnings.add);
  return {
    snapshot: { collections: Object.fromEntries([...byResource].map(toCollection)) },
    locate: (resource, key) => locate(loaded.get(resource), key) ?? toName(origin),
    warnings: warnings.texts(),
  };
}

/** Warns of entities whose parents do not exist. */
function warnOfParents(
  { list, resource, entities }: LoadedList,
  hasEntity: (resource: string, key: string) => boolean,
  warn: ReadingParts['warn'],
): void {
  if (resource.parents.length === 0) return;
  for (const { entity, index } of entities.values()) {
    for (const { location, message } of findMissingParents(resource, entity, hasEntity))
      warn(() => toPlace(list.source, [...list.path, index]), location, message, 'fixture-parent-missing');
  }
}

function toReadingParts(
  { resources, schemas, seed }: FixtureParts,
  mistakes: FixtureMistakes,
  warn: ReadingParts['warn'],
): ReadingParts {
  const refersByKey = buildRefersByKey([...resources.values()]);
  return { schemas, seed, mistakes, warn, refersByKey, findMistyped: buildFindMistyped() };
}

/** The parts for a file that is known to be valid. */
function withoutChecks(reading: ReadingParts): ReadingParts {
  return { ...reading, schemas: { check: () => [] }, findMistyped: () => [] };
}

/** Finds the list that a part is, or adds the reason why there is none. */
function findList(
  { name, place }: FixturePart,
  resources: ReadonlyMap<string, Resource>,
  loaded: ReadonlyMap<string, LoadedList>,
  mistakes: FixtureMistakes,
): StateList | undefined {
  const found = findStateList(resources, name);
  if (found && !loaded.has(toStateListName(found.resource, found.scope))) return found;
  const known = [...resources.keys()];
  const nearest = findNearest(name, known);
  const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  mistakes.add(
    found
      ? { place, reason: `there are two files for "${name}"`, remedy: 'Keep one of them.' }
      : {
          place,
          reason: `the document has no resource "${name}".${meant} It has: ${known.join(', ') || 'none'}`,
          remedy: 'Rename or remove it.',
        },
  );
  return undefined;
}

function groupByResource(loaded: Iterable<LoadedList>): ReadonlyMap<string, readonly LoadedList[]> {
  const groups = new Map<string, LoadedList[]>();
  for (const each of loaded) {
    const { name } = each.resource;
    const group = groups.get(name);
    if (group) group.push(each);
    else groups.set(name, [each]);
  }
  return groups;
}

/** Adds the entities that two lists of a resource have in the same place. */
function addRepeated(lists: readonly LoadedList[], mistakes: FixtureMistakes): void {
  const taken = new Set<string>();
  for (const { resource, scope, list, entities } of lists) {
    for (const [key, { entity, index }] of entities) {
      const name = toStateListName(resource, toEntityScope(resource, scope, entity));
      if (taken.has(`${name} ${key}`))
        mistakes.add({
          place: () => toPlace(list.source, [...list.path, index]),
          reason: `the ${resource.key?.property ?? 'place'} ${key} is taken already in "${name}"`,
          remedy: 'Keep one of the two.',
        });
      taken.add(`${name} ${key}`);
    }
  }
}

function toKeys(lists: readonly LoadedList[]): ReadonlySet<string> {
  return new Set(lists.flatMap(({ entities }) => [...entities.keys()]));
}

function toCollection([name, lists]: readonly [string, readonly LoadedList[]]) {
  const { resource } = lists[0] as LoadedList;
  const listed = lists.map(({ scope, entities }) => ({
    scope,
    entries: Array.from(entities, ([key, { entity }]) => [key, entity] as const),
  }));
  return [name, toListedCollection(resource, listed)] as const;
}

function locate(loaded: LoadedList | undefined, key: string): string | undefined {
  const read = loaded?.entities.get(key);
  return loaded && read && toPlace(loaded.list.source, [...loaded.list.path, read.index]);
}

function toName(origin: FixturesOrigin): string {
  return typeof origin === 'string' ? origin : 'the fixtures';
}

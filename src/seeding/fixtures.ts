import { toPlace } from '../document/document.ts';
import { findNearest } from '../find-nearest.ts';
import { type Resource, toScopes } from '../resources/resources.ts';
import type { SchemaChecker } from '../schema/schema.ts';
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
import { buildReferences } from './references.ts';

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

/** The fixtures of one resource. */
interface LoadedList {
  readonly list: FixtureList;
  readonly resource: Resource;
  readonly entities: ReadonlyMap<string, ReadEntity>;
}

/**
 * Reads a list of entities for each resource. Throws a SetupError that names file, line and property of every mistake: unknown
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
  const loaded = new Map<string, LoadedList>();
  for (const part of found) {
    if (withoutState.includes(part.name)) continue;
    const resource = findResource(part, parts.resources, loaded, mistakes);
    const list = resource && (await part.read().catch(mistakes.addError));
    if (!resource || !list) continue;
    const { text } = list.source;
    const isKnown = text !== undefined && checked.has(text);
    const entities = readEntities(isKnown ? withoutChecks(reading) : reading, list, resource);
    loaded.set(part.name, { list, resource, entities });
  }
  mistakes.throwIfAny();
  for (const each of loaded.values()) warnOfParents(each, loaded, warnings.add);
  return {
    snapshot: { collections: Object.fromEntries([...loaded].map(toCollection)) },
    locate: (resource, key) => locate(loaded.get(resource), key) ?? toName(origin),
    warnings: warnings.texts(),
  };
}

/** Warns of entities whose parents do not exist. */
function warnOfParents(
  { list, resource, entities }: LoadedList,
  loaded: ReadonlyMap<string, LoadedList>,
  warn: ReadingParts['warn'],
): void {
  if (resource.parents.length === 0) return;
  const hasEntity = (name: string, key: string) => loaded.get(name)?.entities.has(key) ?? false;
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
  const referred = buildReferences([...resources.values()]);
  const refersByKey = (resource: Resource) => {
    const name = resource.key?.property;
    const target = name === undefined ? undefined : referred({ name, owner: '', resource });
    return target !== undefined && target !== resource;
  };
  return { schemas, seed, mistakes, warn, refersByKey, findMistyped: buildFindMistyped() };
}

/** The parts for a file that is known to be valid. */
function withoutChecks(reading: ReadingParts): ReadingParts {
  return { ...reading, schemas: { check: () => [] }, findMistyped: () => [] };
}

/** Finds the resource of a part, or adds the reason why there is none. */
function findResource(
  { name, place }: FixturePart,
  resources: ReadonlyMap<string, Resource>,
  loaded: ReadonlyMap<string, LoadedList>,
  mistakes: FixtureMistakes,
): Resource | undefined {
  const resource = resources.get(name);
  if (resource && !loaded.has(name)) return resource;
  const known = [...resources.keys()];
  const nearest = findNearest(name, known);
  const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  mistakes.add(
    resource
      ? { place, reason: `there are two files for "${name}"`, remedy: 'Keep one of them.' }
      : {
          place,
          reason: `the document has no resource "${name}".${meant} It has: ${known.join(', ') || 'none'}`,
          remedy: 'Rename or remove it.',
        },
  );
  return undefined;
}

function toCollection([name, { resource, entities }]: readonly [string, LoadedList]) {
  const entries = Array.from(entities, ([key, { entity }]) => [key, entity] as const);
  return [name, toScopes(resource, entries)] as const;
}

function locate(loaded: LoadedList | undefined, key: string): string | undefined {
  const read = loaded?.entities.get(key);
  return loaded && read && toPlace(loaded.list.source, [...loaded.list.path, read.index]);
}

function toName(origin: FixturesOrigin): string {
  return typeof origin === 'string' ? origin : 'the fixtures';
}

import { findInexact } from '../codecs/codecs.ts';
import { toPlace } from '../document/document.ts';
import { SetupError } from '../problem.ts';
import type { Resource } from '../resources/resources.ts';
import { keyOf, toScopes } from '../resources/resources.ts';
import type { SchemaChecker } from '../schema/schema.ts';
import { isObject } from '../schema/schema.ts';
import type { Entity, Snapshot } from '../store/store.ts';
import { type FixtureList, type FixturesOrigin, listFixtureParts } from './fixture-parts.ts';

export type { FixturesOrigin } from './fixture-parts.ts';

/** The entities that a fresh session starts with, and their places in the files. */
export interface Fixtures {
  readonly snapshot: Snapshot;
  /** File and line of an entity; the fixtures as a whole if they do not have it. */
  locate(resource: string, key: string): string;
}

/** Lets files skip validation, or be ignored. */
export interface FixtureOptions {
  /** The texts of files that are known to be valid. */
  readonly checked: ReadonlySet<string>;
  /** Resources that were switched off. Their files are ignored. */
  readonly withoutState: readonly string[];
}

/**
 * Reads a list of entities for each resource. Throws a SetupError, naming file and line, for an
 * unknown resource or an entity that breaks its schema.
 */
export async function loadFixtures(
  origin: FixturesOrigin,
  resources: ReadonlyMap<string, Resource>,
  schemas: SchemaChecker,
  { checked, withoutState }: FixtureOptions,
): Promise<Fixtures> {
  const lists = new Map<string, FixtureList>();
  const collections: Record<string, Snapshot['collections'][string]> = {};
  for (const { name, place, read } of await listFixtureParts(origin)) {
    const resource = resources.get(name);
    if (withoutState.includes(name)) continue;
    if (!resource) throw unknownResource(place, name, resources);
    if (lists.has(name)) {
      throw new SetupError(`${place}: there are two files for "${name}". Keep one of them.`);
    }
    const list = await read();
    lists.set(name, list);
    const { text } = list.source;
    const known = text !== undefined && checked.has(text);
    const entries = readEntries(list, resource, known ? checkNothing : schemas.check);
    collections[name] = toScopes(resource, entries);
  }
  return {
    snapshot: { collections },
    locate(resource, key) {
      const list = lists.get(resource);
      const known = resources.get(resource);
      const entities = (list?.data ?? []) as Entity[];
      const index = known ? entities.findIndex((entity) => keyOf(known, entity) === key) : -1;
      if (list && index >= 0) return toPlace(list.source, [...list.path, index]);
      return typeof origin === 'string' ? origin : 'the fixtures';
    },
  };
}

function unknownResource(place: string, name: string, resources: ReadonlyMap<string, Resource>): SetupError {
  const known = [...resources.keys()].join(', ') || 'none';
  return new SetupError(
    `${place}: the document has no resource "${name}". It has: ${known}. Rename or remove it.`,
  );
}

const checkNothing: SchemaChecker['check'] = () => [];

function readEntries(
  { source, path, data }: FixtureList,
  resource: Resource,
  check: SchemaChecker['check'],
): [string, Entity][] {
  if (!Array.isArray(data)) {
    throw new SetupError(
      `${toPlace(source, path)}: expected a list of ${resource.name}. Put the entities into [ ].`,
    );
  }
  const entries = new Map<string, Entity>();
  for (const [index, entity] of data.entries()) {
    const fail = (what: string) =>
      new SetupError(`${toPlace(source, [...path, index])}: ${what}. Correct the entity there.`);
    if (!isObject(entity)) throw fail(`expected an object with the properties of a ${resource.singular}`);
    const violations = check(resource.schema, entity, resource.singular);
    const [violation = findInexact(entity, resource.singular)] = violations;
    if (violation) throw fail(`${violation.location} ${violation.message}`);
    const { property } = resource.key ?? {};
    if (property !== undefined && entity[property] === undefined)
      throw fail(`${resource.singular}.${property} is required`);
    const key = keyOf(resource, entity);
    if (entries.has(key))
      throw fail(
        property === undefined ? 'there can be only one' : `the ${property} ${key} is taken already`,
      );
    entries.set(key, entity);
  }
  return [...entries];
}

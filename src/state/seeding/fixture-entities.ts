import type { SetupWarning } from '../../base/setup-code.ts';
import { toPlace } from '../../document/document.ts';
import { keyOf, type Resource } from '../../model/resources/resources.ts';
import { isObject } from '../../schema/schema.ts';
import { findInexact } from '../../wire/codecs/codecs.ts';
import { type StateList, withListParents } from '../lists/lists.ts';
import { type Entity, isEntity } from '../store/store.ts';
import { type FixtureKeyParts, withKeys } from './fixture-keys.ts';
import type { FixtureMistakes } from './fixture-mistakes.ts';
import type { FixtureList } from './fixture-parts.ts';
import { type FindMistyped, suggestProperty } from './fixture-properties.ts';

/** The parts that fixtures are read with. */
export interface ReadingParts extends FixtureKeyParts {
  readonly mistakes: FixtureMistakes;
  readonly findMistyped: FindMistyped;
  /** Notes a property that is probably mistyped. */
  readonly warn: (place: () => string, location: string, message: string, code: SetupWarning) => void;
  /** Whether the key of a resource names an entity of another one, so that none can be made up. */
  readonly refersByKey: (resource: Resource) => boolean;
}

/** An entity with its index in the list. */
export interface ReadEntity {
  readonly entity: Entity;
  readonly index: number;
}

const SHOWN_VIOLATIONS = 5;

/** Reads the entities of one list by key, and collects their mistakes. */
export function readEntities(
  parts: ReadingParts,
  { source, path, data }: FixtureList,
  named: StateList,
): ReadonlyMap<string, ReadEntity> {
  const { mistakes } = parts;
  const { resource } = named;
  const entries = new Map<string, ReadEntity>();
  if (!Array.isArray(data)) {
    const place = () => toPlace(source, path);
    mistakes.add({
      place,
      reason: `expected a list of ${resource.name}`,
      remedy: toListRemedy(resource, data),
    });
    return entries;
  }
  const placed = data.map((entity) => (isEntity(entity) ? withListParents(named, entity) : entity));
  const entities = parts.refersByKey(resource) ? placed : withKeys(parts, resource, placed);
  for (const [index, entity] of entities.entries()) {
    const place = () => toPlace(source, [...path, index]);
    const reason =
      findMistake(parts, resource, entity, entries) ?? noteMistyped(parts, resource, entity, place);
    if (reason !== undefined) mistakes.add({ place, reason, remedy: 'Correct the entity there.' });
    else entries.set(keyOf(resource, entity as Entity), { entity: entity as Entity, index });
  }
  return entries;
}

/** The remedy for fixtures that are not a list. */
function toListRemedy({ name, key }: Resource, data: unknown): string {
  if (isObject(data) && name in data) return `Name the list alone, without the "${name}" around it.`;
  return key ? 'Put the entities into [ ].' : 'Put the one entity into [ ].';
}

/** The reason why an entity cannot be taken, as a clause; `undefined` if it can. */
function findMistake(
  { schemas, findMistyped }: ReadingParts,
  resource: Resource,
  entity: unknown,
  entries: ReadonlyMap<string, ReadEntity>,
): string | undefined {
  const { singular, key: { property } = {} } = resource;
  if (!isEntity(entity)) return `expected an object with the properties of a ${singular}`;
  const violations = schemas.check(resource.schema, entity, singular);
  const inexact = findInexact(entity, singular);
  if (violations.length > 0 || inexact) {
    const found = violations.length > 0 ? violations : [inexact].filter((each) => each !== undefined);
    const shown = found
      .slice(0, SHOWN_VIOLATIONS)
      .map(({ location, message }) => `${location} ${message}${suggestProperty(resource, location)}`);
    const more = found.length > SHOWN_VIOLATIONS ? [`and ${found.length - SHOWN_VIOLATIONS} more`] : [];
    const mistyped = findMistyped(resource, entity).map(({ location, message }) => `${location} ${message}`);
    return [...shown, ...more, ...mistyped].join('; ');
  }
  if (property !== undefined && entity[property] === undefined) return `${singular}.${property} is required`;
  const key = keyOf(resource, entity as Entity);
  if (!entries.has(key)) return undefined;
  return property === undefined
    ? 'there can be only one'
    : `the ${property} ${key} is taken already; leave it out to get a free one`;
}

/** Notes the properties of a valid entity that are probably mistyped. */
function noteMistyped(
  { findMistyped, warn }: ReadingParts,
  resource: Resource,
  entity: unknown,
  place: () => string,
): undefined {
  for (const { location, message } of findMistyped(resource, entity as object))
    warn(place, location, message, 'fixture-property-unknown');
}

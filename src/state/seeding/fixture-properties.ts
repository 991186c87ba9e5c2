import type { Resource } from '../../model/resources/resources.ts';
import type { SchemaNodes } from '../../schema/schema.ts';
import { findNearestMember, findUnknownMembers, type NearestMember } from '../../schema/schema.ts';

/** Finds the properties of an entity that its schema does not name, but that resemble one: `pet.nam`, meaning `name`. */
export type FindMistyped = (resource: Resource, entity: object) => readonly Mistyped[];

/** A property that is probably mistyped. */
interface Mistyped {
  /** `pet.nam` */
  readonly location: string;
  /** `is not declared; did you mean name?` */
  readonly message: string;
}

/** Builds the search for mistyped properties. It compares each name once, because fixtures repeat their names. */
export function buildFindMistyped(): FindMistyped {
  const known = new WeakMap<SchemaNodes, Map<string, string | undefined>>();
  const nearestOf: NearestMember = (name, declared) => {
    const names = known.get(declared) ?? new Map<string, string | undefined>();
    known.set(declared, names);
    if (!names.has(name)) names.set(name, findNearestMember(name, declared));
    return names.get(name);
  };
  return ({ schema, singular }, entity) =>
    findUnknownMembers(schema, entity, { location: singular, onlyMistyped: true, nearestOf });
}

/** Suggests the declared property for one that a closed schema refuses: `pet.nam is not allowed here`. */
export function suggestProperty({ singular, schema }: Resource, location: string): string {
  const name = location.startsWith(`${singular}.`) ? location.slice(singular.length + 1) : '';
  const nearest = findNearestMember(name, schema.allProperties);
  return nearest === undefined || schema.allProperties.has(name) ? '' : `; did you mean ${nearest}?`;
}

import type { Key, Resource } from '../../model/resources/resources.ts';
import { generateTextKey, keyBounds, toKeyCheck } from '../../model/resources/resources.ts';
import type { SchemaChecker } from '../../schema/schema.ts';
import { isObject } from '../../schema/schema.ts';
import { type Entity, toCollectionSnapshot } from '../store/store.ts';
import { toSlugKey } from './slug.ts';

/** The parts of a service that keys are made from. */
export interface FixtureKeyParts {
  readonly schemas: SchemaChecker;
  readonly seed: number;
}

/**
 * Gives a key to every entity without one, as a POST would: the next number, a slug of the title, or a text that fits the schema. The
 * same fixtures get the same keys, and none that another entity of them has. Leaves out the key where none is left.
 */
export function withKeys(
  parts: FixtureKeyParts,
  resource: Resource,
  entities: readonly unknown[],
): readonly unknown[] {
  const { key } = resource;
  if (!key || entities.every((entity) => !isObject(entity) || hasKey(key, entity))) return entities;
  const taken = new Set<string>();
  for (const entity of entities)
    if (isObject(entity) && hasKey(key, entity)) taken.add(String(entity[key.property]));
  const next = key.type === 'integer' ? nextNumber(resource, taken) : nextText(parts, resource, key, taken);
  return entities.map((entity) => {
    if (!isObject(entity) || Array.isArray(entity) || hasKey(key, entity)) return entity;
    const made = next(entity);
    if (made === undefined) return entity;
    taken.add(String(made));
    return { [key.property]: made, ...entity, [key.property]: made };
  });
}

/** A null, as exports have it, does not count as a key. */
function hasKey({ property }: Key, entity: Readonly<Record<string, unknown>>): boolean {
  return entity[property] !== undefined && entity[property] !== null;
}

type NextKey = (entity: Entity) => number | string | undefined;

/** Counts on from the highest number, as the store does, else from the lowest free one. */
function nextNumber({ key, parameterSchema }: Resource, taken: ReadonlySet<string>): NextKey {
  const { least, most } = keyBounds([key?.schema, parameterSchema]);
  const entries = Array.from(taken, (name) => [name, {}] as const);
  let next = toCollectionSnapshot(entries, { firstKey: least }).nextKey;
  let lowest = least;
  return () => {
    while (next <= most && taken.has(String(next))) next += 1;
    if (next <= most) return next;
    while (lowest <= most && taken.has(String(lowest))) lowest += 1;
    return lowest <= most ? lowest : undefined;
  };
}

const KEY_ATTEMPTS = 20;

function nextText(
  { schemas, seed }: FixtureKeyParts,
  { name, parameterSchema }: Resource,
  key: Key,
  taken: ReadonlySet<string>,
): NextKey {
  const isValid = toKeyCheck(schemas, key.schema, parameterSchema);
  const isFree = (text: string) => !taken.has(text);
  let number = 0;
  const serial = () => {
    number += 1;
    return number;
  };
  return (entity) => {
    const slug = toSlugKey({ property: key.property, entity, isValid, isFree, serial });
    for (let attempt = 0; slug === undefined && attempt < KEY_ATTEMPTS; attempt++) {
      const made = generateTextKey({
        ...{ schema: key.schema, named: parameterSchema, number: serial(), isValid, isFree },
        seed: `${seed} ${name} fixture ${number}`,
      });
      if (made !== undefined) return made;
    }
    return slug;
  };
}

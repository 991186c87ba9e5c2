import type { Operation } from '../../model/operations/operations.ts';
import type { Resource } from '../../model/resources/resources.ts';
import {
  generateTextKey,
  keyBounds,
  ONLY_KEY,
  toKeyCheck,
  toSnake,
} from '../../model/resources/resources.ts';
import type { SchemaChecker, SchemaNode } from '../../schema/schema.ts';
import type { Entity } from '../store/store.ts';
import type { ExampleParts } from './entity-examples.ts';
import type { GenerateRealistic } from './property-hint.ts';
import { findTitle, SLUG, toSlug } from './slug.ts';

/** The parts of a service that entities are generated from. */
export interface SeedingParts extends ExampleParts {
  /** Generates a value for a schema, the same for the same name; `undefined` if it finds none. */
  readonly generate: (
    schema: SchemaNode,
    name: string,
    options: { readonly examples: boolean; readonly isValid: (value: unknown) => boolean },
  ) => unknown;
  readonly schemas: SchemaChecker;
  readonly seed: number;
  readonly generateRealistic: GenerateRealistic;
  /** Counts the entities that a list shows by default; infinite for all of them, or if the newest come first. */
  readonly countFirstPage: (operation: Operation, resource: Resource) => number;
  /** Leaves out resources with one entity for each of another resource, such as its stock, because rules create those. */
  readonly withoutCompanions: boolean;
}

/** Entities of a resource by key. */
export type EntitiesByKey = Map<string, Entity>;

/** The number of entities to aim for, with those of the examples, unless a list shows fewer by default. */
const WANTED = 10;

/** The part of a list's first page that the first entities fill, so that it has room for new ones. */
const PAGE_SHARE = 0.8;

/** The number of entities that a resource starts with. */
export function countWanted({ operations, model, countFirstPage }: SeedingParts, resource: Resource): number {
  if (!resource.key) return 1;
  const pages = operations.flatMap((operation) => {
    const action = model.actions.get(operation.id);
    const isList = action?.name === 'list' && action.resource === resource;
    return isList ? [Math.max(1, Math.floor(PAGE_SHARE * countFirstPage(operation, resource)))] : [];
  });
  return Math.min(WANTED, ...pages);
}

/** The number of failed samples after which the schema counts as impossible to fill. */
const MISSES = 3;

/** Generates entities under the first usable keys, in addition to the known ones. Their references are not set yet. */
export function generateSamples(
  parts: SeedingParts,
  resource: Resource,
  keys: Iterable<string>,
  known: EntitiesByKey,
  wanted: number,
): EntitiesByKey {
  const own: EntitiesByKey = new Map();
  let misses = 0;
  for (const key of keys) {
    if (known.size + own.size >= wanted || misses === MISSES) break;
    if (known.has(key) || own.has(key)) continue;
    const entity = orNothing(() => generateSample(parts, resource, key));
    if (entity.size === 0) misses += 1;
    for (const [name, value] of entity) own.set(name, value);
  }
  return own;
}

/** The keys that examples refer to, then the lowest integers or likeliest texts that the schema allows. */
export function* candidateKeys(
  parts: SeedingParts,
  resource: Resource,
  wanted: Iterable<string>,
): Generator<string> {
  const { key } = resource;
  if (!key) return yield ONLY_KEY;
  yield* wanted;
  const named = resource.parameterSchema;
  const { least, most } = keyBounds([key.schema, named]);
  // A small range leaves half of its keys for new entities.
  const last = Math.min(
    least + 2 * WANTED + MISSES - 1,
    most - least < 2 * WANTED ? (least + most) / 2 : most,
  );
  for (let number = least; number <= last; number++) {
    const text = key.type === 'integer' ? String(number) : generateSampleKey(parts, resource, number, named);
    if (text !== undefined) yield text;
  }
}

/** Generates a realistic username or slug where the property is one, else a text in the form of the schema. */
function generateSampleKey(
  parts: SeedingParts,
  resource: Resource,
  number: number,
  named: SchemaNode | undefined,
): string | undefined {
  const { schemas } = parts;
  const { key, name } = resource;
  const seed = `${parts.seed} ${name} ${number}`;
  const isValid = toKeyCheck(schemas, key?.schema, named);
  const real = generateNamedKey(parts, resource, seed);
  if (typeof real === 'string' && real !== '' && isValid(real)) return real;
  return generateTextKey({ schema: key?.schema, named, number, seed, isValid, isFree: () => true });
}

/** Generates a key that fits its name. A slug is made from a title, which the entity later gets from the slug. */
function generateNamedKey(
  { generateRealistic }: SeedingParts,
  { key, singular, schema }: Resource,
  seed: string,
): unknown {
  const name = toSnake(key?.property ?? '');
  if (IDENTIFIER.test(name)) return undefined;
  const { format } = key?.schema.keywords ?? {};
  const field = { name, owner: singular, type: 'string' as const };
  const seeds = { own: seed, object: seed };
  const title = SLUG.test(name) ? findTitle(schema) : undefined;
  if (title === undefined)
    return generateRealistic({ ...field, format: typeof format === 'string' ? format : undefined }, seeds);
  return toSlug(String(generateRealistic({ ...field, name: toSnake(title) }, seeds) ?? ''));
}

const IDENTIFIER = /(^|_)(id|uuid|guid)$/;

function generateSample(parts: SeedingParts, resource: Resource, key: string): EntitiesByKey {
  const withKey = toKeyed(resource, key);
  const value = parts.generate(resource.schema, `${resource.name} ${key}`, {
    // An example of the whole entity would be the same for every key.
    examples: false,
    isValid: (sample) =>
      typeof sample === 'object' && sample !== null && isValidEntity(parts, resource, withKey(sample)),
  });
  return value === undefined ? new Map() : new Map([[key, withKey(value)]]);
}

function toKeyed({ key }: Resource, name: string): (value: unknown) => Entity {
  if (!key) return (value) => value as Entity;
  const { property } = key;
  const typed = key.type === 'integer' ? Number(name) : name;
  return (value) => ({ [property]: typed, ...(value as Entity), [property]: typed });
}

/** Whether an entity is valid against the schema of its resource. */
export function isValidEntity({ schemas }: SeedingParts, resource: Resource, entity: Entity): boolean {
  return schemas.check(resource.schema, entity, '').length === 0;
}

/** Ignores an unusable schema here, so that the service still starts. Requests that need the schema report it. */
export function orNothing(make: () => EntitiesByKey): EntitiesByKey {
  try {
    return make();
  } catch {
    return new Map();
  }
}

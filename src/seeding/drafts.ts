import { generateValue } from '../generate/generate.ts';
import type { Resource } from '../resources/resources.ts';
import {
  generateTextKey,
  keyBounds,
  keyParameterSchema,
  ONLY_KEY,
  toKeyCheck,
  toSnake,
} from '../resources/resources.ts';
import type { SchemaChecker } from '../schema/schema.ts';
import { resolveReference, type Schema } from '../schema/schema.ts';
import type { Entity } from '../store/store.ts';
import type { ExampleParts } from './entity-examples.ts';
import type { Realist } from './field.ts';

/** What entities are made of. */
export interface SeedingParts extends ExampleParts {
  readonly schemas: SchemaChecker;
  readonly seed: number;
  readonly realist: Realist;
  /** Leaves out what goes with each entity of another resource, such as its stock: rules make that. */
  readonly withoutCompanions: boolean;
}

/** Some entities of a resource, by key. */
export type Entities = Map<string, Entity>;

/** As many entities of a resource are there at least, if it can be filled at all. */
const WANTED = 10;

/** After so many values that do not hold to the schema, the others would not either. */
const MISSES = 3;

/** Generated entities under the first keys that go, beside those that are known, but without the references among them. */
export function draftEntities(
  parts: SeedingParts,
  resource: Resource,
  keys: Iterable<string>,
  known: Entities,
): Entities {
  const own: Entities = new Map();
  const wanted = resource.key ? WANTED : 1;
  let misses = 0;
  for (const key of keys) {
    if (known.size + own.size >= wanted || misses === MISSES) break;
    if (known.has(key) || own.has(key)) continue;
    const entity = orNothing(() => generateDraft(parts, resource, key));
    if (entity.size === 0) misses += 1;
    for (const [name, value] of entity) own.set(name, value);
  }
  return own;
}

/** The keys that examples refer to, then the lowest numbers or the likeliest texts that the schema allows. */
export function* candidateKeys(
  parts: SeedingParts,
  resource: Resource,
  wanted: Iterable<string>,
): Generator<string> {
  const { key } = resource;
  if (!key) return yield ONLY_KEY;
  yield* wanted;
  const named = keyParameterSchema(parts.operations, resource);
  const { least, most } = keyBounds(parts.root, [key.schema, named]);
  // Where a path can name only a few, half of them are left for new entities.
  const last = Math.min(
    least + 2 * WANTED + MISSES - 1,
    most - least < 2 * WANTED ? (least + most) / 2 : most,
  );
  for (let number = least; number <= last; number++) {
    const text = key.type === 'integer' ? String(number) : toTextKey(parts, resource, number, named);
    if (text !== undefined) yield text;
  }
}

/** A user is called like one, a slug reads like one; anything else has the form that its schema asks for. */
function toTextKey(
  parts: SeedingParts,
  resource: Resource,
  number: number,
  named: Schema | undefined,
): string | undefined {
  const { root, schemas, realist } = parts;
  const { key, name, singular } = resource;
  const schema = resolveReference(root, key?.schema) as Schema;
  const seed = `${parts.seed} ${name} ${number}`;
  const isValid = toKeyCheck(schemas, schema, named);
  const field = {
    name: toSnake(key?.property ?? ''),
    owner: singular,
    type: 'string' as const,
    format: typeof schema.format === 'string' ? schema.format : undefined,
  };
  const real = IDENTIFIER.test(field.name) ? undefined : realist(field, { own: seed, object: seed });
  if (typeof real === 'string' && real !== '' && isValid(real)) return real;
  return generateTextKey({ schema, named, number, seed, isValid, isFree: () => true });
}

const IDENTIFIER = /(^|_)(id|uuid|guid)$/;

function generateDraft(parts: SeedingParts, resource: Resource, key: string): Entities {
  const { root, seed } = parts;
  const withKey = toKeyed(resource, key);
  const value = generateValue(resource.schema, {
    seed: `${seed} ${resource.name} ${key}`,
    components: root.components,
    // The example of a whole entity would come out the same for every key.
    examples: false,
    isValid: (draft) =>
      typeof draft === 'object' && draft !== null && isValid(parts, resource, withKey(draft)),
  });
  return value === undefined ? new Map() : new Map([[key, withKey(value)]]);
}

function toKeyed({ key }: Resource, name: string): (value: unknown) => Entity {
  if (!key) return (value) => value as Entity;
  const { property } = key;
  const typed = key.type === 'integer' ? Number(name) : name;
  return (value) => ({ [property]: typed, ...(value as Entity), [property]: typed });
}

/** Whether an entity holds to the schema of its resource. */
export function isValid({ schemas }: SeedingParts, resource: Resource, entity: Entity): boolean {
  return schemas.check(resource.schema, entity, '').length === 0;
}

/** A schema that cannot be worked with is told about when it is asked for; it must not keep everything else from starting. */
export function orNothing(make: () => Entities): Entities {
  try {
    return make();
  } catch {
    return new Map();
  }
}

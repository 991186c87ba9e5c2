import type { ExampleParts } from './entity-examples.ts';
import { generateValue } from './generate.ts';
import { findLeaves, ownerOf } from './leaves.ts';
import type { FindReferred } from './references.ts';
import type { Resource } from './resources.ts';
import { resolveReference, type Schema, schemaProperties, schemaTypes } from './schema.ts';
import type { SchemaChecker } from './schemas.ts';
import type { Entity } from './store.ts';

/** What entities are made of. */
export interface SeedingParts extends ExampleParts {
  readonly schemas: SchemaChecker;
  readonly seed: number;
  /** Leaves out what goes with each entity of another resource, such as its stock: rules make that. */
  readonly withoutCompanions: boolean;
}

/** Some entities of a resource, by key. */
export type Entities = Map<string, Entity>;

/** As many entities of a resource are there at least, if it can be filled at all. */
const WANTED = 10;

/** After so many values that do not hold to the schema, the others would not either. */
const MISSES = 3;

/** Generated entities with their keys, but without the references among them, which only the keys of all can decide. */
export function buildDrafts(
  parts: SeedingParts,
  referred: FindReferred,
  shown: ReadonlyMap<string, Entities>,
): Map<string, Entities> {
  const drafts = new Map<string, Entities>();
  const wanted = findWantedKeys(parts, referred, shown);
  const draft = (resource: Resource): string[] => {
    const { name, key } = resource;
    const known = shown.get(name) ?? new Map();
    const made = drafts.get(name);
    if (made) return [...known.keys(), ...made.keys()];
    const own: Entities = new Map();
    drafts.set(name, own);
    const main = referred({ name: key.property, owner: '', resource });
    const companion = main !== undefined && main !== resource;
    if (companion && parts.withoutCompanions) return [...known.keys()];
    const keys = companion ? draft(main) : candidateKeys(parts, resource, wanted.get(name) ?? []);
    fill(parts, resource, { keys, known, own });
    return [...known.keys(), ...own.keys()];
  };
  for (const resource of parts.model.resources.values()) draft(resource);
  return drafts;
}

function fill(
  parts: SeedingParts,
  resource: Resource,
  { keys, known, own }: { readonly keys: Iterable<string>; readonly known: Entities; readonly own: Entities },
): void {
  let misses = 0;
  for (const key of keys) {
    if (known.size + own.size >= WANTED || misses === MISSES) return;
    if (known.has(key) || own.has(key)) continue;
    const entity = orNothing(() => generateDraft(parts, resource, key));
    if (entity.size === 0) misses += 1;
    for (const [name, value] of entity) own.set(name, value);
  }
}

/** The keys that examples refer to, then the lowest that the schema allows. */
function* candidateKeys(
  parts: SeedingParts,
  resource: Resource,
  wanted: Iterable<string>,
): Generator<string> {
  yield* wanted;
  if (!hasIntegerKey(parts, resource)) return;
  const schema = resolveReference(parts.root, keySchemaOf(parts, resource)) as Schema;
  const { minimum } = schema;
  const first = typeof minimum === 'number' && minimum > 1 ? Math.ceil(minimum) : 1;
  for (let key = first; key < first + 2 * WANTED + MISSES; key++) yield String(key);
}

function findWantedKeys(
  { root, model }: SeedingParts,
  referred: FindReferred,
  shown: ReadonlyMap<string, Entities>,
): Map<string, Set<string>> {
  const wanted = new Map([...model.resources.keys()].map((name) => [name, new Set<string>()]));
  const examples = [...model.resources.values()].flatMap((resource) =>
    [...(shown.get(resource.name)?.values() ?? [])].map((entity) => ({ resource, entity })),
  );
  for (const { resource, entity } of examples) {
    for (const leaf of findLeaves(root, resource.schema, entity, resource.singular)) {
      const target = referred({ ...leaf, owner: ownerOf(leaf), resource });
      if (target && Number.isSafeInteger(leaf.value)) wanted.get(target.name)?.add(String(leaf.value));
    }
  }
  return wanted;
}

function generateDraft(parts: SeedingParts, resource: Resource, key: string): Entities {
  const { root, seed } = parts;
  const { property } = resource.key;
  const typed = hasIntegerKey(parts, resource) ? Number(key) : key;
  const withKey = (value: unknown) => ({ [property]: typed, ...(value as Entity), [property]: typed });
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

/** Whether an entity holds to the schema of its resource. */
export function isValid({ schemas }: SeedingParts, resource: Resource, entity: Entity): boolean {
  return schemas.check(resource.schema, entity, '').length === 0;
}

/** Whether the keys of a resource are numbers, so that the next one is known. */
export function hasIntegerKey(parts: SeedingParts, resource: Resource): boolean {
  return schemaTypes(parts.root, keySchemaOf(parts, resource)).includes('integer');
}

function keySchemaOf({ root }: SeedingParts, { schema, key }: Resource): unknown {
  return schemaProperties(root, schema).get(key.property);
}

/** A schema that cannot be worked with is told about when it is asked for; it must not keep everything else from starting. */
export function orNothing(make: () => Entities): Entities {
  try {
    return make();
  } catch {
    return new Map();
  }
}

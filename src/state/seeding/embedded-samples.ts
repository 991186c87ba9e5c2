import { type Embed, indexNames, pickShown, type Resource } from '../../model/resources/resources.ts';
import { createRandom } from '../../schema/generate/generate.ts';
import { isObject } from '../../schema/schema.ts';
import type { Entity } from '../store/store.ts';
import type { EntitiesByKey } from './sample-entities.ts';

/** The entities that a sample shows. */
interface EmbedParts {
  readonly embeds: readonly Embed[];
  /** The first entities of a resource, by key. */
  readonly entitiesOf: (resource: Resource) => EntitiesByKey;
  readonly isValid: (value: Entity) => boolean;
  /** Decides which entities are shown if no key does. */
  readonly seed: string;
}

/** Replaces made-up embedded entities of a sample by entities of their collections. */
export function withEmbeddedSamples(
  { embeds, entitiesOf, isValid, seed }: EmbedParts,
  sample: Entity,
): Entity {
  let shown = sample;
  for (const embed of embeds) {
    const next = fillEmbed(embed, entitiesOf(embed.target), seed, shown);
    if (next !== shown && isValid(next)) shown = next;
  }
  return shown;
}

function fillEmbed(embed: Embed, entities: EntitiesByKey, seed: string, sample: Entity): Entity {
  const { property, keyNames } = embed;
  const made = Object.hasOwn(sample, property) ? sample[property] : undefined;
  if (!isObject(made)) return sample;
  const pick = createPick(embed, entities, `${seed} ${property}`);
  const keyName = keyNames.map(indexNames(Object.keys(sample))).find((name) => name !== undefined);
  const key = keyName === undefined ? undefined : sample[keyName];
  const shown = Array.isArray(made)
    ? made.flatMap((each, index) => pick(Array.isArray(key) ? key[index] : undefined, each) ?? [])
    : pick(key, made);
  return shown === undefined ? sample : { ...sample, [property]: shown };
}

/** Picks the entity with a key, or with the key in an object; any other if none has it. Picks each entity once. */
function createPick({ target, schema }: Embed, entities: EntitiesByKey, seed: string) {
  const left = new Map(entities);
  const random = createRandom(`${seed} shown`);
  return (key: unknown, made: unknown): Entity | undefined => {
    const own = isObject(made) ? (made as Entity)[target.key?.property ?? ''] : undefined;
    const named = [key, own].map(String).find((each) => left.has(each));
    const picked = named ?? [...left.keys()][Math.floor(random() * left.size)];
    const entity = picked === undefined ? undefined : left.get(picked);
    if (picked !== undefined) left.delete(picked);
    return entity && pickShown(schema, entity);
  };
}

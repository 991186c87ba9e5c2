import { type Embed, indexNames, pickShown } from '../../model/resources/resources.ts';
import { isObject } from '../../schema/schema.ts';
import type { Entity, Store } from '../store/store.ts';
import { isJsonObject, memberOf } from './json-object.ts';

/** An entity with the stored entities in place of the keys or the parts of them that a body has. */
export function withEmbedded(embeds: readonly Embed[], store: Store, entity: Entity, body: unknown): Entity {
  if (embeds.length === 0 || !isJsonObject(body)) return entity;
  const nameOf = indexNames(Object.keys(body));
  const found = embeds.flatMap((embed) => {
    if (!embed.isNamed) return [];
    const keyName = embed.keyNames.map(nameOf).find((name) => name !== undefined);
    const given = body[embed.property] ?? (keyName === undefined ? undefined : body[keyName]);
    const embedded = embedOne(embed, store, given);
    return embedded === undefined ? [] : [[embed.property, embedded] as const];
  });
  return found.length === 0 ? entity : { ...entity, ...Object.fromEntries(found) };
}

function embedOne(embed: Embed, store: Store, given: unknown): unknown {
  if (!embed.isList) return Array.isArray(given) ? undefined : findStored(embed, store, given);
  if (!Array.isArray(given)) return undefined;
  const items = given.map((each) => findStored(embed, store, each) ?? each);
  return items.some((item, index) => item !== given[index]) ? items : undefined;
}

/** Finds the embeds of an entity whose values the client did not send. */
export function findMadeUp(embeds: readonly Embed[], entity: Entity, body: unknown): readonly Embed[] {
  const shown = embeds.filter(
    ({ property }) => isObject(memberOf(entity, property)) && memberOf(body, property) === undefined,
  );
  if (shown.length === 0) return shown;
  const isSent = indexNames(isJsonObject(body) ? Object.keys(body) : []);
  return shown.filter(({ keyNames }) => keyNames.every((name) => isSent(name) === undefined));
}

/** Replaces made-up embedded entities, which no client could find again, by the first stored ones. */
export function withStored(madeUp: readonly Embed[], store: Store, entity: Entity): Entity {
  const found = madeUp.flatMap(({ property, target, schema, isList }) => {
    const made = memberOf(entity, property);
    const count = isList && Array.isArray(made) ? made.length : Number(isJsonObject(made));
    const stored = store.collection(target.name).all().slice(0, count);
    const shown = stored.map((each) => pickShown(schema, each));
    return shown.length === 0 ? [] : [[property, isList ? shown : shown[0]] as const];
  });
  return found.length === 0 ? entity : { ...entity, ...Object.fromEntries(found) };
}

/** The stored entity of a key, or of an object with one, as its schema shows it. */
function findStored({ target, schema }: Embed, store: Store, given: unknown): unknown {
  const key = isJsonObject(given) ? memberOf(given, target.key?.property ?? '') : given;
  if (typeof key !== 'string' && typeof key !== 'number' && typeof key !== 'bigint') return undefined;
  const stored = store.collection(target.name).get(String(key));
  if (!stored) return undefined;
  return { ...(isJsonObject(given) && given), ...pickShown(schema, stored) };
}

import { keyOf, type Resource } from '../../model/resources/resources.ts';
import { type Collection, joinEntities, toScope } from '../store/store.ts';
import { type ActionContext, scopeKeys } from './context.ts';

/** Deletes the entities below the item that had a key. */
export function dropBelow(context: ActionContext, key: string): void {
  const { store } = context;
  const above = [...scopeKeys(context), key];
  const scope = toScope(above);
  for (const other of findBelow(context)) {
    store.drop(other.name, scope);
    // A scope without a collection of its own would show the first entities again.
    if (!other.key || other.parents.length !== above.length) continue;
    const collection = store.collection(other.name, scope);
    for (const each of [...collection.values()]) collection.delete(keyOf(other, each));
  }
}

/** Moves the entities below an item to its new key, and changes the properties of theirs that name the old one. */
export function moveBelow(context: ActionContext, from: string, to: string): void {
  const { store } = context;
  const above = scopeKeys(context);
  for (const other of findBelow(context)) {
    const scopes = store.move(other.name, toScope([...above, from]), toScope([...above, to]));
    const property = other.parents[above.length]?.property;
    if (property === undefined) continue;
    for (const scope of scopes)
      nameAnew(context, store.collection(other.name, scope), { other, property, from, to });
  }
  dropBelow(context, from);
  for (const { other, property } of findListedBelow(context))
    nameAnew(context, store.collection(other.name), { other, property, from, to });
}

/** The resources whose entities are below the items of that of the request. */
export function findBelow({ spec: { resource }, model }: ActionContext): Resource[] {
  const depth = resource.parents.length;
  return [...model.resources.values()].filter(({ parents }) => parents[depth]?.resource === resource.name);
}

/** A property that names an entity of another resource. */
interface Naming {
  readonly other: Resource;
  readonly property: string;
}

/** The resources that stand alone, and of which a path below an item lists those that name it: `/pets` and `/owners/{id}/pets`. */
function findListedBelow({ spec: { resource }, model }: ActionContext): Naming[] {
  // Below two items, the key of the inner one may be that of several.
  if (resource.parents.length > 0) return [];
  const found = new Map<string, Naming>();
  for (const { resource: other, parents, within } of model.actions.values()) {
    if (other.parents.length > 0) continue;
    for (const { parameter, resource: name, property } of parents) {
      if (name !== resource.name || property === undefined) continue;
      if (within.some((each) => each.parameter === parameter))
        found.set(`${other.name} ${property}`, { other, property });
    }
  }
  return [...found.values()];
}

interface Renaming extends Naming {
  readonly from: string;
  readonly to: string;
}

/** Puts the new name where the old one stands. A property that has no room for it keeps the old one. */
function nameAnew(
  { schemas }: ActionContext,
  collection: Collection,
  { other, property, from, to }: Renaming,
): void {
  if (schemas.check(other.schema.at([property]), to, '').length > 0) return;
  for (const entity of collection.where(property, from))
    collection.put(keyOf(other, entity), joinEntities(entity, { [property]: to }));
}

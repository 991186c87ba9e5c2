import { keyOf } from '../../model/resources/resources.ts';
import type { Entity } from '../../state/store/store.ts';
import { findShownEntity, headerOf, readJsonBody } from './answer.ts';
import { isKeyed, readItemLocation, toItem } from './item-path.ts';
import { takesKeyInPath } from './key-place.ts';
import { type Life, takeBodies } from './life-step.ts';

/** The entity whose life cycle is checked. */
export interface Born {
  /** Raw values of the item path's parameters, in order. */
  readonly item: readonly string[];
  /** Raw values of the collection path's parameters, in order. */
  readonly parents: readonly string[];
  /** `undefined` for a singleton. */
  readonly key: string | undefined;
  /** Whether it was created here, so that nothing else depends on it. */
  readonly fresh: boolean;
  readonly entity: Entity | undefined;
}

/** Creates the entity of a life; `undefined` if no operation can, or none shows its path. */
export async function create(life: Life): Promise<Born | undefined> {
  const { context, resource, probe } = life;
  const operation = life.find('create');
  if (!operation) return undefined;
  const parents = Object.values(await context.keys.find(operation));
  const bodies = context.requests.bodies(operation, likeOf(life));
  const made = await takeBodies(life, { name: 'create', operation, values: parents }, bodies);
  if (!made) return undefined;
  const property = resource.key?.property ?? '';
  const located = readItemLocation(resource, headerOf(made.response, 'Location'));
  const named = located?.at(-1);
  // The answer may show only other entities with such a property, like the owner of the new one.
  const entity = findShownEntity(
    readJsonBody(made.response),
    property,
    named === undefined ? undefined : decodeURIComponent(named),
  );
  const key = entity && encodeURIComponent(String(entity[property]));
  const item = located ?? (key === undefined ? undefined : toItem(resource, parents, key));
  const last = item?.at(-1);
  if (!item || last === undefined) {
    probe.skip(`${operation.label} does not show the path of the new ${resource.singular}.`);
    return undefined;
  }
  return { item, parents, key: decodeURIComponent(last), fresh: true, entity };
}

/** Finds an existing entity, for a life that no operation creates. */
export async function findExisting(life: Life): Promise<Born | undefined> {
  const { context, resource } = life;
  const names = ['read', 'replace', 'update', 'remove'] as const;
  const operation = names.map(life.find).find((found) => found !== undefined);
  if (!operation) return undefined;
  const item = Object.values(await context.keys.find(operation));
  const list = life.find('list');
  const parents = list ? Object.values(await context.keys.find(list)) : item.slice(0, -1);
  if (!isKeyed(resource)) return { item, parents, key: undefined, fresh: false, entity: undefined };
  const first = context.firstEntity(resource);
  if (first === undefined) return undefined;
  const named = takesKeyInPath(context, operation)
    ? item
    : [...item, encodeURIComponent(keyOf(resource, first))];
  return {
    item: named,
    parents,
    key: decodeURIComponent(named.at(-1) ?? ''),
    fresh: false,
    entity: undefined,
  };
}

/** Returns an existing entity. It satisfies the business rules, for example with valid references. */
export function likeOf({ context, resource }: Life): Entity | undefined {
  return context.firstEntity(resource);
}

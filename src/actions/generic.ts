import { type Outcome, toTarget } from '../message.ts';
import type { ActionName } from '../resources/resources.ts';
import { keyOf } from '../resources/resources.ts';
import { type Entity, toScope } from '../store/store.ts';
import { putAsked, putEntity, toMergedEntity, toNewEntity, toPutEntity, toReplacedEntity } from './change.ts';
import { type Action, type ActionContext, collectionOf, findEntity, readEntity, show } from './context.ts';
import { find, list } from './list.ts';

/** The actions that serve any resource. */
export const ACTIONS: Readonly<Record<ActionName, Action>> = {
  list,
  find,
  create: (context) => toCreated(context, putAsked(context, toNewEntity(context))),
  read: (context) => toDone(context, readEntity(context)),
  replace(context) {
    if (context.plan.creates && !findEntity(context))
      return toCreated(context, putAsked(context, toPutEntity(context)));
    return toDone(context, putAsked(context, toReplacedEntity(context)));
  },
  update: (context) => toDone(context, putEntity(context, toMergedEntity(context))),
  remove(context) {
    const entity = readEntity(context);
    const outcome = toDone(context, entity);
    collectionOf(context).delete(keyOf(context.plan.resource, entity));
    dropBelow(context, entity);
    return outcome;
  },
};

/** The answer to a creation: the entity, and where it is from now on. */
export function toCreated(context: ActionContext, entity: Entity): Outcome {
  const { plan, base } = context;
  const status = plan.created;
  const path = toItemPath(context, entity);
  return {
    status,
    body: plan.answer(show(context, entity), status),
    ...(path !== undefined && { headers: { Location: toTarget(base + path) } }),
  };
}

function toDone(context: ActionContext, entity: Entity): Outcome {
  const { done } = context.plan;
  return { status: done, body: context.plan.answer(show(context, entity), done) };
}

/** The path of an entity, as far as the document has one. */
function toItemPath({ plan, input, request, base }: ActionContext, entity: Entity): string | undefined {
  const { resource, itemPath } = plan;
  if (!resource.key) return request.path.slice(base.length);
  const { parameter } = resource.key;
  return itemPath?.reduce((path, part, index) => {
    if (index % 2 === 0) return path + part;
    return path + encodeURIComponent(part === parameter ? keyOf(resource, entity) : String(input.path[part]));
  }, '');
}

/** What was below an entity goes with it. */
function dropBelow({ plan, model, store, input }: ActionContext, entity: Entity): void {
  const { name, parents } = plan.resource;
  const above = [...parents.map(({ parameter }) => input.path[parameter]), keyOf(plan.resource, entity)];
  const scope = toScope(above);
  for (const other of model.resources.values()) {
    if (!other.parents.some(({ resource }) => resource === name)) continue;
    store.drop(other.name, scope);
    // A scope without a collection of its own would show the first entities again.
    if (!other.key || other.parents.length !== above.length) continue;
    const collection = store.collection(other.name, scope);
    for (const each of [...collection.values()]) collection.delete(keyOf(other, each));
  }
}

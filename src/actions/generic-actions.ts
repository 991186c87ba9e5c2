import { type Outcome, toTarget } from '../message/message.ts';
import type { ActionName } from '../resources/resources.ts';
import { keyOf } from '../resources/resources.ts';
import { type Entity, toScope } from '../store/store.ts';
import { putActed } from './act.ts';
import { putRequested, toMergedEntity, toNewEntity, toPutEntity, toReplacedEntity } from './change.ts';
import {
  type Action,
  type ActionContext,
  collectionOf,
  findRequested,
  readEntity,
  scopeKeys,
} from './context.ts';
import { putCreatedFile, toOwnerId } from './files.ts';
import { findFirst, list } from './list.ts';
import { toPublicPath, toUrl } from './location.ts';
import { withRename } from './rename.ts';
import { toShown } from './shown.ts';
import { login, logout, refresh } from './sign-in.ts';
import { dropFiles } from './stored-files.ts';
import { putUser, withPassword } from './users.ts';

/** The actions that serve any resource. */
export const GENERIC_ACTIONS: Readonly<Record<ActionName, Action>> = {
  list,
  find: findFirst,
  create: (context) =>
    toCreated(context, context.spec.account ? putUser(context) : putRequested(context, toNewEntity(context))),
  read: (context) => toSuccess(context, readEntity(context)),
  replace(context) {
    if (context.spec.createsMissing && !findRequested(context))
      return toCreated(context, putRequested(context, toPutEntity(context)));
    const replaced = withRename(context, () => putRequested(context, toReplacedEntity(context)));
    return toSuccess(context, withPassword(context, replaced));
  },
  update(context) {
    const updated = withRename(context, () => putRequested(context, toMergedEntity(context)));
    return toSuccess(context, withPassword(context, updated));
  },
  remove(context) {
    const entity = readEntity(context);
    const outcome = toSuccess(context, entity);
    collectionOf(context).delete(keyOf(context.spec.resource, entity));
    dropBelow(context, entity);
    dropFilesOf(context, entity);
    return outcome;
  },
  act: (context) => toSuccess(context, putActed(context)),
  login,
  refresh,
  logout,
};

/** The answer to a creation: the entity and its location. */
export function toCreated(context: ActionContext, entity: Entity): Outcome {
  const { spec } = context;
  const status = spec.createdStatus;
  const location = spec.locatesByUrl ? toUrl(context, entity) : toPublicPath(context, entity);
  putCreatedFile(context, entity);
  return {
    status,
    body: toShown(context, entity, status),
    ...(location !== undefined && { headers: { Location: toTarget(location) } }),
  };
}

function toSuccess(context: ActionContext, entity: Entity): Outcome {
  const { successStatus: status } = context.spec;
  return { status, body: toShown(context, entity, status) };
}

/** Forgets the files of a deleted entity and of those below it. */
function dropFilesOf(context: ActionContext, entity: Entity): void {
  const { spec, model, store } = context;
  if (model.files.size === 0) return;
  const { resource } = spec;
  const keys = [...scopeKeys(context), keyOf(resource, entity)];
  const own = toOwnerId(resource, keys);
  const below = [...model.resources.values()]
    .filter(({ parents }) => parents.some((parent) => parent.resource === resource.name))
    .map((other) => `${toOwnerId(other, keys)}/`);
  dropFiles(store, (owner) => owner === own || below.some((start) => owner.startsWith(start)));
}

/** Deletes the entities below a deleted one. */
function dropBelow(context: ActionContext, entity: Entity): void {
  const { spec, model, store } = context;
  const { name } = spec.resource;
  const above = [...scopeKeys(context), keyOf(spec.resource, entity)];
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

import type { ActionName } from '../../model/resources/resources.ts';
import { keyOf } from '../../model/resources/resources.ts';
import { type Outcome, toTarget } from '../../wire/message/message.ts';
import type { Entity } from '../store/store.ts';
import { putActed } from './act.ts';
import { dropBelow } from './below.ts';
import { putRequested, toMergedEntity, toNewEntity, toPutEntity, toReplacedEntity } from './change.ts';
import { type Action, type ActionContext, collectionOf, findRequested, readEntity } from './context.ts';
import { putCreatedFile } from './files.ts';
import { findFirst, list } from './list.ts';
import { toPublicPath, toUrl } from './location.ts';
import { withModified } from './modified.ts';
import { dropFilesOf } from './owned-files.ts';
import { withRename } from './rename.ts';
import { toShown } from './shown.ts';
import { login, logout, refresh } from './sign-in.ts';
import { putUser, withPassword } from './users.ts';

/** The actions that serve any resource. */
export const GENERIC_ACTIONS: Readonly<Record<ActionName, Action>> = {
  list,
  find: findFirst,
  create: (context) =>
    toCreated(context, context.spec.account ? putUser(context) : putRequested(context, toNewEntity(context))),
  read(context) {
    const entity = readEntity(context);
    return withModified(context, entity, toSuccess(context, entity));
  },
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
    const key = keyOf(context.spec.resource, entity);
    collectionOf(context).delete(key);
    dropBelow(context, key);
    dropFilesOf(context, key);
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

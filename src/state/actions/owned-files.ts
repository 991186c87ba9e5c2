import { findBelow } from './below.ts';
import { type ActionContext, scopeKeys } from './context.ts';
import { toOwnerId } from './files.ts';
import { dropFiles, moveFiles } from './stored-files.ts';

/** Forgets the files of the item that had a key, and of the entities below it. */
export function dropFilesOf(context: ActionContext, key: string): void {
  if (context.model.files.size === 0) return;
  const { own, below } = toOwners(context, key);
  dropFiles(context.store, (owner) => owner === own || below.some((start) => owner.startsWith(start)));
}

/** Moves the files of an item, and of the entities below it, to its new key. */
export function moveFilesOf(context: ActionContext, from: string, to: string): void {
  if (context.model.files.size === 0) return;
  const [old, renamed] = [toOwners(context, from), toOwners(context, to)];
  moveFiles(context.store, (owner) => {
    if (owner === old.own) return renamed.own;
    const at = old.below.findIndex((start) => owner.startsWith(start));
    return at < 0 ? undefined : `${renamed.below[at]}${owner.slice(old.below[at]?.length)}`;
  });
}

/** The owner of an item's files, and the beginnings of the owners below it. */
function toOwners(
  context: ActionContext,
  key: string,
): { readonly own: string; readonly below: readonly string[] } {
  const keys = [...scopeKeys(context), key];
  const own = toOwnerId(context.spec.resource, keys);
  return { own, below: findBelow(context).map((other) => `${toOwnerId(other, keys)}/`) };
}

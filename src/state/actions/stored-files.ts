import type { Store } from '../store/store.ts';

/** The collection of uploaded files. The slash prevents a clash with resources, whose names are words of paths. */
export const FILES = '/files';

/** A file that a client handed in, or the trace of one that was removed. */
export type StoredFile =
  | { readonly id: string; readonly owner: string; readonly mediaType: string; readonly base64: string }
  | { readonly id: string; readonly owner: string; readonly isGone: true };

export function findFile(store: Store, id: string): StoredFile | undefined {
  return store.collection(FILES).get(id) as StoredFile | undefined;
}

/** Stores a file as the newest one. */
export function putFile(store: Store, file: StoredFile): void {
  const files = store.collection(FILES);
  files.delete(file.id);
  files.put(file.id, file);
}

/** Forgets the files of owners that are deleted. */
export function dropFiles(store: Store, isDeleted: (owner: string) => boolean): void {
  const files = store.collection(FILES);
  const all = [...files.values()] as unknown as StoredFile[];
  for (const { id, owner } of all) if (isDeleted(owner)) files.delete(id);
}

/** Hands files to other owners, which are the same entities with other keys. `toOwner` returns `undefined` for a file that stays. */
export function moveFiles(store: Store, toOwner: (owner: string) => string | undefined): void {
  const files = store.collection(FILES);
  for (const file of [...files.values()] as unknown as StoredFile[]) {
    const owner = toOwner(file.owner);
    if (owner === undefined) continue;
    files.delete(file.id);
    const id = owner + file.id.slice(file.owner.length);
    files.put(id, { ...file, owner, id });
  }
}

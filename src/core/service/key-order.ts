import { inKeyOrder } from '../../state/lists/lists.ts';
import { type CollectionSnapshot, toCollectionSnapshot } from '../../state/store/store.ts';

/** Sorts the entities of a collection by their keys, scope by scope. Clients wrote those that `given` does not have, where it is given. */
export function sortByKey(snapshot: CollectionSnapshot, given?: CollectionSnapshot): CollectionSnapshot {
  const { entries, nextKey, retired } = snapshot;
  const scopes = [...snapshot.scopes].map(([scope, own]) => [scope, inKeyOrder(own)] as const);
  const options = { nextKey, retired, scopes: Object.fromEntries(scopes), given };
  return toCollectionSnapshot(inKeyOrder(entries), options);
}

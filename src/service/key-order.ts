import { inKeyOrder } from '../resources/resources.ts';
import { type CollectionSnapshot, toCollectionSnapshot } from '../store/store.ts';

/** Sorts the entities of a collection by their keys, scope by scope. */
export function sortByKey(snapshot: CollectionSnapshot): CollectionSnapshot {
  const { entries, nextKey, retired } = snapshot;
  const scopes = [...snapshot.scopes].map(([scope, own]) => [scope, inKeyOrder(own)] as const);
  return toCollectionSnapshot(inKeyOrder(entries), { nextKey, retired, scopes: Object.fromEntries(scopes) });
}

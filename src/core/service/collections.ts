import type { OperationTable } from '../../model/operations/operations.ts';
import { inferIndexes, keyBounds, type ResourceModel } from '../../model/resources/resources.ts';
import { endCredentials, FILES } from '../../state/actions/actions.ts';
import type { Store, StoredResource } from '../../state/store/store.ts';
import { ACCOUNT_COLLECTIONS } from './callers.ts';

/** Describes each resource for the store, lazily: the getters run when the resource is first used. */
export function toCollections(table: OperationTable, model: ResourceModel): StoredResource[] {
  const resources = [...model.resources.values()].map((resource) => ({
    name: resource.name,
    get firstKey() {
      return keyBounds([resource.key?.schema, resource.parameterSchema]).least;
    },
    get indexes() {
      return inferIndexes(model, resource, table.find);
    },
    ...(model.users.has(resource.name) && {
      onRemove: (store: Store, key?: string) => endCredentials(store, resource.name, key),
    }),
  }));
  return [
    ...resources,
    ...(model.users.size === 0 ? [] : ACCOUNT_COLLECTIONS),
    ...(model.files.size === 0 ? [] : [{ name: FILES, indexes: ['owner'] }]),
  ];
}

import type { Operation } from '../operations/operations.ts';
import { isIdentity } from './account-names.ts';
import { createFilterFinder } from './filters.ts';
import type { Resource, ResourceModel } from './model.ts';
import { toSnake } from './snake-case.ts';

/** The properties worth an index: references to other resources, and the filters of the list. */
export function inferIndexes(
  { resources, actions, users }: ResourceModel,
  resource: Resource,
  find: (id: string) => Operation | undefined,
): string[] {
  const { name, properties } = resource;
  const singulars = new Set([...resources.values()].map(({ singular }) => singular));
  const lists = [...actions].filter(([, action]) => action.resource.name === name && action.name === 'list');
  const finder = createFilterFinder(resource);
  const filters = new Set(
    lists.flatMap(([id]) =>
      (find(id)?.parameters ?? []).flatMap((each) => {
        if (each.in !== 'query') return [];
        const property = finder.named(each.name);
        const target = property === undefined ? finder.referred(each.name, each.schema) : { property };
        return target && target.member === undefined ? [target.property] : [];
      }),
    ),
  );
  const isUser = users.has(name);
  return properties.filter(
    (property) =>
      filters.has(property) ||
      singulars.has(toSnake(property).replace(/_id$/, '')) ||
      (isUser && isIdentity(property)),
  );
}

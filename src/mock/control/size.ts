import type { SavedSnapshot, Service } from '../../core/service/service.ts';

/** The entities of a state, without those that would be generated at their first use. */
export function countEntities({ model, initial }: Service, { collections }: SavedSnapshot['state']): number {
  const counts = [...model.resources.keys()].map(
    (resource) => collections[resource]?.size ?? initial.countOf(resource) ?? 0,
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

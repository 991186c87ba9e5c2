import type { Resource } from '../../model/resources/resources.ts';
import { toSnake } from '../../model/resources/resources.ts';
import type { Entity, Entry } from '../store/store.ts';
import { SLUG } from './slug.ts';

/** Numbers slugs that several entities would share because of equal titles. */
export function withUniqueSlugs(
  { properties, key }: Resource,
  shown: Iterable<Entity>,
  entries: readonly Entry[],
  isValid: (entity: Entity) => boolean,
): readonly Entry[] {
  const names = properties.filter((name) => name !== key?.property && SLUG.test(toSnake(name)));
  return names.reduce<readonly Entry[]>((current, name) => {
    const taken = new Set<unknown>(Array.from(shown, (entity) => entity[name]));
    return current.map(([entityKey, entity]) => {
      const slug = entity[name];
      const unique = typeof slug === 'string' ? { ...entity, [name]: toUnique(slug, taken) } : entity;
      const next = unique[name] !== slug && isValid(unique) ? unique : entity;
      taken.add(next[name]);
      return [entityKey, next];
    });
  }, entries);
}

function toUnique(slug: string, taken: ReadonlySet<unknown>): string {
  if (!taken.has(slug)) return slug;
  let number = 2;
  while (taken.has(`${slug}-${number}`)) number += 1;
  return `${slug}-${number}`;
}

import { isObject } from '../schema/schema.ts';
import type { Entity } from './answer.ts';

/** A sentence for each property that two answers about one entity show differently. */
export function compareEntities(before: Entity | undefined, after: Entity): string[] {
  if (!before) return [];
  return Object.keys(before)
    .filter((name) => Object.hasOwn(after, name) && !isEqual(before[name], after[name]))
    .map(
      (name) =>
        `It shows ${name} as ${toText(after[name])}; the answer before it had ${toText(before[name])}.`,
    );
}

/** A sentence if nothing of what a change was sent with is there afterwards. */
export function findUnchanged(
  { value, before }: { readonly value: unknown; readonly before: Entity | undefined },
  after: Entity,
): string[] {
  if (!isObject(value) || !before) return [];
  const changed = Object.keys(value).filter(
    (name) =>
      Object.hasOwn(after, name) && !isObject(value[name]) && toText(before[name]) !== toText(value[name]),
  );
  if (changed.length === 0 || changed.some((name) => toText(after[name]) === toText(value[name]))) return [];
  return [
    `It shows nothing of what was sent: ${changed.map((name) => `${name} ${toText(value[name])}`).join(', ')}.`,
  ];
}

function isEqual(one: unknown, other: unknown): boolean {
  return toText(one) === toText(other);
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
}

import { isObject } from '../schema/schema.ts';
import type { Entity } from '../store/store.ts';

/** Returns a sentence for each property that differs between two answers about one entity. */
export function compareEntities(before: Entity | undefined, after: Entity): string[] {
  if (!before) return [];
  return Object.keys(before)
    .filter((name) => Object.hasOwn(after, name) && !isEqual(before[name], after[name]))
    .map(
      (name) =>
        `It shows ${name} as ${formatForReport(after[name])}; the answer before it had ${formatForReport(before[name])}.`,
    );
}

/**
 * Returns a sentence if no property of an entity has the value that a change set. A null proves nothing: it may stand for "as it is", or
 * for a value that answers must not have.
 */
export function findUnchanged(
  { value, before }: { readonly value: unknown; readonly before: Entity | undefined },
  after: Entity,
): string[] {
  if (!isObject(value) || !before) return [];
  const changed = Object.keys(value).filter(
    (name) =>
      Object.hasOwn(after, name) &&
      value[name] !== null &&
      !isObject(value[name]) &&
      !isEqual(before[name], value[name]),
  );
  if (changed.length === 0 || changed.some((name) => isEqual(after[name], value[name]))) return [];
  return [
    `It shows nothing of what was sent: ${changed.map((name) => `${name} ${formatForReport(value[name])}`).join(', ')}.`,
  ];
}

function isEqual(one: unknown, other: unknown): boolean {
  return formatForReport(one) === formatForReport(other);
}

function formatForReport(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
}

import { isObject } from '../../schema/schema.ts';
import type { Entity } from '../../state/store/store.ts';
import { type CheckFinding, toFinding } from './check-finding.ts';

/** Finds each property that differs between two answers about one entity. */
export function compareEntities(before: Entity | undefined, after: Entity): CheckFinding[] {
  if (!before) return [];
  return Object.keys(before)
    .filter((name) => Object.hasOwn(after, name) && !isEqual(before[name], after[name]))
    .map((name) => {
      const [now, earlier] = [formatForReport(after[name]), formatForReport(before[name])];
      return toFinding(
        'entity-different',
        `It shows ${name} as ${now}; the answer before it had ${earlier}.`,
      );
    });
}

/**
 * Finds a change that no property of an entity shows. A null proves nothing: it may stand for "as it is", or
 * for a value that answers must not have.
 */
export function findUnchanged(
  { value, before }: { readonly value: unknown; readonly before: Entity | undefined },
  after: Entity,
): CheckFinding[] {
  if (!isObject(value) || !before) return [];
  const changed = Object.keys(value).filter(
    (name) =>
      Object.hasOwn(after, name) &&
      value[name] !== null &&
      !isObject(value[name]) &&
      !isEqual(before[name], value[name]),
  );
  if (changed.length === 0 || changed.some((name) => isEqual(after[name], value[name]))) return [];
  const sent = changed.map((name) => `${name} ${formatForReport(value[name])}`).join(', ');
  return [toFinding('change-lost', `It shows nothing of what was sent: ${sent}.`)];
}

function isEqual(one: unknown, other: unknown): boolean {
  return formatForReport(one) === formatForReport(other);
}

function formatForReport(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
}

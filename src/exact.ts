import type { Violation } from './problem.ts';

/** How deep arrays and objects may nest. Far beyond any real value, well inside the call stack. */
const DEPTH_LIMIT = 200;

/** What could not be stored and given back as it came: numbers that are rounded, and bottomless nesting. */
export function findInexact(value: unknown, location: string, depth = 0): Violation | undefined {
  if (typeof value === 'number') {
    // JSON may spell a number that is Infinity here.
    const exact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
    return exact
      ? undefined
      : { location, message: 'must be between -9007199254740991 and 9007199254740991' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === DEPTH_LIMIT) return { location, message: `must not nest deeper than ${DEPTH_LIMIT} levels` };
  for (const [key, member] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${key}]` : `.${key}`;
    const violation = findInexact(member, location + step, depth + 1);
    if (violation) return violation;
  }
  return undefined;
}

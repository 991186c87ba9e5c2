import type { Violation } from './problem.ts';

/** How deep arrays and objects may nest. Far beyond any real value, well inside the call stack. */
const DEPTH_LIMIT = 200;

const BEYOND = 'must be between -9007199254740991 and 9007199254740991';

/** What could not be stored and given back as it came: numbers that are rounded, and bottomless nesting. */
export function findInexact(value: unknown, location: string, depth = 0): Violation | undefined {
  if (typeof value === 'bigint') return { location, message: BEYOND };
  if (typeof value === 'number') {
    // JSON may spell a number that is Infinity here.
    const exact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
    return exact ? undefined : { location, message: BEYOND };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === DEPTH_LIMIT) return { location, message: `must not nest deeper than ${DEPTH_LIMIT} levels` };
  // Where it is only matters once something is found.
  for (const key in value) {
    const violation = findInexact((value as Record<string, unknown>)[key], '', depth + 1);
    if (!violation) continue;
    const step = Array.isArray(value) ? `[${key}]` : `.${key}`;
    return { ...violation, location: location + step + violation.location };
  }
  return undefined;
}

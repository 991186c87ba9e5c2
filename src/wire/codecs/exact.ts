import { LIMITS } from '../../base/limits.ts';
import type { Violation } from '../../base/problem.ts';

/** The deepest nesting of arrays and objects. Far beyond any real value, well within the call stack. */
const { value: DEEPEST_VALUE } = LIMITS.bodyDepth;

/** Finds too deep nesting, or a number that an ordinary parser may have rounded. Client input goes through `readJson` instead. */
export function findInexact(value: unknown, location: string): Violation | undefined {
  return findUnfit(value, location, Number.MAX_SAFE_INTEGER);
}

/** Finds too deep nesting, or a number beyond a limit, such as `Infinity`. */
export function findUnfit(value: unknown, location: string, limit: number, depth = 0): Violation | undefined {
  if (typeof value === 'number') {
    if (Math.abs(value) <= limit) return undefined;
    return { location, message: `must be between -${limit} and ${limit}`, code: 'number-range' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === DEEPEST_VALUE)
    return { location, message: `must not nest deeper than ${DEEPEST_VALUE} levels`, code: 'nesting-deep' };
  // Builds the location only once something is found.
  for (const key in value) {
    const violation = findUnfit((value as Record<string, unknown>)[key], '', limit, depth + 1);
    if (!violation) continue;
    const step = Array.isArray(value) ? `[${key}]` : `.${key}`;
    return { ...violation, location: location + step + violation.location };
  }
  return undefined;
}

import type { Violation } from '../problem.ts';

/** How deep arrays and objects may nest. Far beyond any real value, well inside the call stack. */
const DEPTH_LIMIT = 200;

/**
 * Finds a number in a value that was read by an ordinary parser, which may have rounded it, or bottomless nesting. Client input is
 * read by `readJson`, which rounds no integer.
 */
export function findInexact(value: unknown, location: string): Violation | undefined {
  return findUnfit(value, location, Number.MAX_SAFE_INTEGER);
}

/** Finds a number beyond a limit, which `Infinity` always is, or bottomless nesting. */
export function findUnfit(value: unknown, location: string, limit: number, depth = 0): Violation | undefined {
  if (typeof value === 'number') {
    if (Math.abs(value) <= limit) return undefined;
    return { location, message: `must be between -${limit} and ${limit}` };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === DEPTH_LIMIT) return { location, message: `must not nest deeper than ${DEPTH_LIMIT} levels` };
  // The location is put together only once something is found.
  for (const key in value) {
    const violation = findUnfit((value as Record<string, unknown>)[key], '', limit, depth + 1);
    if (!violation) continue;
    const step = Array.isArray(value) ? `[${key}]` : `.${key}`;
    return { ...violation, location: location + step + violation.location };
  }
  return undefined;
}

import { findNearest } from '../find-nearest.ts';

/** A longer segment is not compared, because it is hardly a typing error. */
const LONGEST_SEGMENT = 64;

/** Suggests the path that a mistyped one most likely stands for: one literal segment of a template is close to what it has there. */
export function suggestPath(path: string, templates: readonly string[]): string | undefined {
  const typed = path.split('/');
  const meant = new Map<number, Set<string>>();
  for (const template of templates) {
    const segments = template.split('/');
    const at = findOnlyDifference(typed, segments);
    const literal = at === undefined ? undefined : segments[at];
    if (at === undefined || literal === undefined) continue;
    meant.set(at, (meant.get(at) ?? new Set()).add(literal));
  }
  for (const [at, literals] of meant) {
    const nearest = findNearest(typed[at] ?? '', [...literals]);
    if (nearest !== undefined) return typed.with(at, nearest).join('/');
  }
  return undefined;
}

/** The place of the only segment that a template has otherwise; `undefined` if there are more or none. A parameter fits anything. */
function findOnlyDifference(typed: readonly string[], segments: readonly string[]): number | undefined {
  if (typed.length !== segments.length) return undefined;
  let found: number | undefined;
  for (const [at, segment] of segments.entries()) {
    if (segment === typed[at] || (segment.includes('{') && typed[at] !== '')) continue;
    if (found !== undefined || segment === '' || (typed[at]?.length ?? 0) > LONGEST_SEGMENT) return undefined;
    found = at;
  }
  return found;
}

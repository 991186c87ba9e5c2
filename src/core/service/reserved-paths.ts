import { toSetupWarning } from '../../base/setup-code.ts';
import type { Operation } from '../../model/operations/operations.ts';

const MOST_NAMED = 3;

/** Warns of operations below the path that the mock uses itself. Sessions and control requests hide them, except for literal paths. */
export function warnOfReservedPaths(operations: readonly Operation[], controlPath: string): string[] {
  const labels = operations
    .filter(({ path }) => path === controlPath || path.startsWith(`${controlPath}/`))
    .map(({ label }) => label);
  if (labels.length === 0) return [];
  const shown = [...labels.slice(0, MOST_NAMED), ...(labels.length > MOST_NAMED ? ['...'] : [])].join(', ');
  const text = `The document has operations below ${controlPath}, which the mock uses itself: ${shown}. Move its own with --control-path, such as --control-path /-.`;
  return [toSetupWarning(text, 'path-reserved')];
}

import { findNearest } from '../../base/find-nearest.ts';
import { SetupError } from '../../base/problem.ts';
import { isObject } from '../../schema/schema.ts';
import type { Operation } from '../operations/operations.ts';
import { buildDeclared, type ResourceCandidate } from './candidates.ts';
import { ACTION_NAMES, type ActionName, type ResourceOverride, type ResourceOverrides } from './model.ts';
import { type Paths, parseItemPath } from './paths.ts';

/** The `x-mock-resource` of an operation; false makes the operation stateless. */
type ResourceMark = false | (ResourceOverride & { readonly name?: string; readonly action?: ActionName });

const EXTENSION = 'x-mock-resource';
const MARK_MEMBERS = ['name', 'collection', 'item', 'key'];

/** Reads `x-mock-resource` from an operation. Throws a SetupError if it is invalid. */
export function readMark({ extensions, label }: Operation): ResourceMark | undefined {
  const mark = extensions[EXTENSION];
  if (mark === undefined || mark === false) return mark;
  if (typeof mark === 'string' && mark !== '') return { name: mark };
  const mistake = findMistake(mark);
  if (mistake === undefined) return mark as ResourceMark;
  const remedy = `Write false, a name, or a mapping with ${MARK_MEMBERS.join(', ')} or action.`;
  const message = `Invalid "${EXTENSION}: ${JSON.stringify(mark)}" of ${label}: ${mistake}. ${remedy}`;
  throw new SetupError('resource-mark-invalid', message);
}

function findMistake(mark: unknown): string | undefined {
  if (!isObject(mark) || Array.isArray(mark)) return 'it is neither false nor a name nor a mapping';
  const { action, ...texts } = mark;
  if (action !== undefined && !ACTION_NAMES.some((name) => name === action))
    return `an action is one of ${ACTION_NAMES.join(', ')}`;
  if (action !== undefined && texts.name === undefined) return 'an action needs the name of a resource';
  const unknown = Object.keys(texts).find((key) => !MARK_MEMBERS.includes(key));
  if (unknown !== undefined) return `"${unknown}" is unknown`;
  const wrong = Object.keys(texts).find((key) => typeof texts[key] !== 'string' || texts[key] === '');
  return wrong === undefined ? undefined : `"${wrong}" must be a text`;
}

/** Applies the `x-mock-resource` marks of the document. Throws a SetupError for an impossible one. */
export function withMarks(paths: Paths, candidates: readonly ResourceCandidate[]): ResourceCandidate[] {
  const changed = [...candidates];
  for (const [path, methods] of paths) {
    const mark = [...methods.values()].map(readMark).find((each) => each && each.action === undefined);
    if (!mark) continue;
    const place = parseItemPath(path) ? { item: path } : { collection: path };
    const index = changed.findIndex(
      ({ itemPath, collectionPath }) => itemPath === path || collectionPath === path,
    );
    const given = buildDeclared(paths, { ...place, ...mark }, changed[index]);
    if ('mistake' in given)
      throw new SetupError('resource-mark-invalid', `Invalid "${EXTENSION}" of ${path}: ${given.mistake}`);
    changed.splice(index < 0 ? changed.length : index, 1, given);
  }
  return changed;
}

/** Applies the overrides of the options. Throws a SetupError for an impossible one. */
export function withOverrides(
  paths: Paths,
  named: ReadonlyMap<ResourceCandidate, string>,
  overrides: ResourceOverrides,
): Map<ResourceCandidate, string> {
  const byName = new Map([...named].map(([candidate, name]) => [name, candidate]));
  const known = [...byName.keys()].join(', ') || 'none';
  for (const [name, override] of Object.entries(overrides)) {
    const candidate = byName.get(name);
    if (override === false) {
      if (candidate) continue;
      const nearest = findNearest(name, [...byName.keys()]);
      const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
      throw new SetupError(
        'resource-option-invalid',
        `Unknown resource "${name}" in the options.${hint} The document has: ${known}.`,
        {
          usage: true,
        },
      );
    }
    const given = buildDeclared(paths, { ...override, name }, candidate);
    if ('mistake' in given)
      throw new SetupError(
        'resource-option-invalid',
        `Invalid options for the resource "${name}": ${given.mistake}`,
        {
          usage: true,
        },
      );
    byName.set(name, given);
  }
  return new Map([...byName].map(([name, candidate]) => [candidate, name]));
}

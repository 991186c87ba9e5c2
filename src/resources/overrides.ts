import type { Operation } from '../operations/operations.ts';
import { SetupError } from '../problem.ts';
import { isObject } from '../schema/schema.ts';
import { type Draft, draftGiven } from './drafts.ts';
import type { ActionName } from './model.ts';
import { type Paths, toItemPath } from './paths.ts';

/** What somebody says of a resource, over what is inferred. */
export interface ResourceOverride {
  /** The path of all of them: `/products`. */
  readonly collection?: string;
  /** The path of one of them: `/product/{sku}`. */
  readonly item?: string;
  /** The property that tells them apart. */
  readonly key?: string;
}

/** By the name of a resource; false for one that has no state. */
export type ResourceOverrides = Readonly<Record<string, false | ResourceOverride>>;

/** What an operation says of itself by `x-mock-resource`; false where it has no state. */
export type Mark = false | (ResourceOverride & { readonly name?: string; readonly action?: ActionName });

const MARK = 'x-mock-resource';
const TEXTS = ['name', 'collection', 'item', 'key'];
const ACTIONS: readonly unknown[] = [
  'list',
  'create',
  'read',
  'find',
  'replace',
  'update',
  'remove',
] satisfies ActionName[];

/** The mark of an operation. Throws a SetupError for one that makes no sense. */
export function readMark({ extensions, label }: Operation): Mark | undefined {
  const mark = extensions[MARK];
  if (mark === undefined || mark === false) return mark;
  if (typeof mark === 'string' && mark !== '') return { name: mark };
  const mistake = findMistake(mark);
  if (mistake === undefined) return mark as Mark;
  const remedy = `Write false, a name, or a mapping with ${TEXTS.join(', ')} or action.`;
  throw new SetupError(
    `The document says of ${label} "${MARK}: ${JSON.stringify(mark)}": ${mistake}. ${remedy}`,
  );
}

function findMistake(mark: unknown): string | undefined {
  if (!isObject(mark) || Array.isArray(mark)) return 'it is neither false nor a name nor a mapping';
  const { action, ...texts } = mark;
  if (action !== undefined && !ACTIONS.includes(action)) return `an action is one of ${ACTIONS.join(', ')}`;
  if (action !== undefined && texts.name === undefined) return 'an action needs the name of a resource';
  const unknown = Object.keys(texts).find((key) => !TEXTS.includes(key));
  if (unknown !== undefined) return `"${unknown}" is unknown`;
  const wrong = Object.keys(texts).find((key) => typeof texts[key] !== 'string' || texts[key] === '');
  return wrong === undefined ? undefined : `"${wrong}" must be a text`;
}

/** The drafts with what the paths say of themselves. Throws a SetupError for what cannot be. */
export function withMarks(root: unknown, paths: Paths, drafts: readonly Draft[]): Draft[] {
  const changed = [...drafts];
  for (const [path, methods] of paths) {
    const mark = [...methods.values()].map(readMark).find((each) => each && each.action === undefined);
    if (!mark) continue;
    const place = toItemPath(path) ? { item: path } : { collection: path };
    const index = changed.findIndex(
      ({ itemPath, collectionPath }) => itemPath === path || collectionPath === path,
    );
    const given = draftGiven(root, paths, { ...place, ...mark }, changed[index]);
    if ('mistake' in given)
      throw new SetupError(`The document's "${MARK}" of ${path} can't be: ${given.mistake}`);
    changed.splice(index < 0 ? changed.length : index, 1, given);
  }
  return changed;
}

/** The drafts, by name, with what the options say of them. Throws a SetupError for what cannot be. */
export function withOverrides(
  root: unknown,
  paths: Paths,
  named: ReadonlyMap<Draft, string>,
  overrides: ResourceOverrides,
): Map<Draft, string> {
  const byName = new Map([...named].map(([draft, name]) => [name, draft]));
  const known = [...byName.keys()].join(', ') || 'none';
  for (const [name, override] of Object.entries(overrides)) {
    const draft = byName.get(name);
    if (override === false) {
      if (draft) continue;
      throw new SetupError(
        `There is no resource "${name}" to take its state from. The document has: ${known}.`,
        {
          usage: true,
        },
      );
    }
    const given = draftGiven(root, paths, { ...override, name }, draft);
    if ('mistake' in given)
      throw new SetupError(`The resource "${name}" can't be as the options have it: ${given.mistake}`, {
        usage: true,
      });
    byName.set(name, given);
  }
  return new Map([...byName].map(([name, draft]) => [draft, name]));
}

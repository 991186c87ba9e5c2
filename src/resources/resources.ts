import { once } from '../once.ts';
import type { Operation } from '../operations/operations.ts';
import { isMarked, schemaRequired } from '../schema/schema.ts';
import { type FindParents, inferActions, inferOtherAction, toMarkedAction } from './actions.ts';
import { type Draft, draftResources, findFlatTwin } from './drafts.ts';
import type { Resource, ResourceModel } from './model.ts';
import { type ResourceOverrides, readMark, withMarks, withOverrides } from './overrides.ts';
import { toParents } from './parents.ts';
import { buildPaths, type Paths, parametersOf } from './paths.ts';
import { entityProperties, indexBySchema } from './shapes.ts';
import { toSnake } from './snake-case.ts';
import { indexNames } from './words.ts';

export { type Key, keyBounds, keyOf, ONLY_KEY } from './keys.ts';
export type {
  ActionName,
  Parent,
  Resource,
  ResourceAction,
  ResourceModel,
  Within,
} from './model.ts';
export type { ResourceOverride, ResourceOverrides } from './overrides.ts';
export { answerSchema, bodySchema, keyParameterSchema } from './paths.ts';
export { inKeyOrder, toScopes } from './scopes.ts';
export { entityProperties, findEntity, findList, isObjectSchema, isSameSchema } from './shapes.ts';
export { toSnake } from './snake-case.ts';
export { generateTextKey, toKeyCheck } from './text-keys.ts';
export { indexNames, toListNames } from './words.ts';

/** The model of a document whose every operation is answered without state. */
export const STATELESS: ResourceModel = { resources: new Map(), actions: new Map() };

/**
 * Infers the resources of a document from its paths and schemas, and from what document and options say of them. `root` is what
 * references resolve in. Throws a SetupError for what cannot be as they say.
 */
export function inferResources(
  root: unknown,
  operations: readonly Operation[],
  overrides: ResourceOverrides = {},
): ResourceModel {
  const paths = buildPaths(operations.filter((operation) => readMark(operation) !== false));
  const isOff = (name: string) => Object.hasOwn(overrides, name) && overrides[name] === false;
  const { named, off, routes } = layOut(root, paths, overrides, isOff);
  const byItemPath = new Map([...named].map(([draft, name]) => [draft.itemPath, { ...draft, name }]));
  const findParents: FindParents = (path, properties, key) =>
    toParents(
      path,
      properties.filter((name) => name !== key?.property),
      (itemPath) => byItemPath.get(itemPath),
    );
  const resources = new Map(
    [...named].map(([draft, name]) => [name, toResource(root, draft, name, findParents)]),
  );
  const own = routes.flatMap(({ draft, name }) => {
    const resource = resources.get(name);
    if (!resource) return [];
    const parents = findParents(draft.collectionPath, resource.properties, resource.key);
    return inferActions({ root, paths, draft, resource, parents });
  });
  const actions = new Map(own);
  const others = { root, withSchema: indexBySchema(root, [...resources.values()]), findParents };
  for (const operation of [...paths.values()].flatMap((methods) => [...methods.values()])) {
    const isFree = !actions.has(operation.id) && !off.some((draft) => isPathOf(draft, operation.path));
    const action =
      toMarkedAction(operation, resources, isOff, findParents) ??
      (isFree ? inferOtherAction(others, operation) : undefined);
    if (action) actions.set(operation.id, action);
  }
  return { resources, actions };
}

/** Which drafts are resources, and what they are called. */
interface Layout {
  readonly named: ReadonlyMap<Draft, string>;
  /** Those that somebody switched off. */
  readonly off: readonly Draft[];
  /** Every draft, and the resource whose entities its paths show. */
  readonly routes: readonly { readonly draft: Draft; readonly name: string }[];
}

function layOut(
  root: unknown,
  paths: Paths,
  overrides: ResourceOverrides,
  isOff: (name: string) => boolean,
): Layout {
  const found = withMarks(root, paths, draftResources(root, paths));
  const flat = found.filter(({ collectionPath }) => parametersOf(collectionPath).length === 0);
  // Items below others may be the very entities that another path shows without them.
  const twins = new Map(found.map((draft) => [draft, findFlatTwin(root, draft, flat)]));
  const own = nameDrafts(found.filter((draft) => !twins.get(draft)));
  const all = withOverrides(root, paths, own, overrides);
  const aliases = [...twins].flatMap(([draft, twin]) => (twin ? [{ draft, name: own.get(twin) ?? '' }] : []));
  return {
    named: new Map([...all].filter(([, name]) => !isOff(name))),
    off: [...all].flatMap(([draft, name]) => (isOff(name) ? [draft] : [])),
    routes: [...aliases, ...[...all].map(([draft, name]) => ({ draft, name }))],
  };
}

function isPathOf({ itemPath, collectionPath }: Draft, path: string): boolean {
  return [itemPath, collectionPath].some((own) => own === path || path.startsWith(`${own}/`));
}

/** The properties of a resource that are looked up often: references to other resources, and filters of its list. */
export function inferIndexes(
  { resources, actions }: ResourceModel,
  { name, properties }: Resource,
  find: (id: string) => Operation | undefined,
): string[] {
  const singulars = new Set([...resources.values()].map(({ singular }) => singular));
  const lists = [...actions].filter(([, action]) => action.resource.name === name && action.name === 'list');
  const nameOf = indexNames(properties);
  const filters = new Set(
    lists.flatMap(([id]) =>
      (find(id)?.parameters ?? []).flatMap((each) =>
        each.in === 'query' ? (nameOf(each.name.replace(/\[\]$/, '')) ?? []) : [],
      ),
    ),
  );
  return properties.filter(
    (property) => filters.has(property) || singulars.has(toSnake(property).replace(/_id$/, '')),
  );
}

/** The last word of each path, with the words before it where another resource is called so. */
function nameDrafts(drafts: readonly Draft[]): Map<Draft, string> {
  const taken = new Set<string>();
  const names = new Map<Draft, string>();
  for (const draft of drafts) {
    const words = draft.collectionPath.split('/').filter((word) => word !== '' && !word.includes('{'));
    let name = draft.name ?? draft.word;
    for (let count = 2; taken.has(name); count++)
      name =
        count <= words.length
          ? words.slice(-count).join('.')
          : `${words.join('.')}.${count - words.length + 1}`;
    taken.add(name);
    names.set(draft, name);
  }
  return names;
}

function toResource(root: unknown, draft: Draft, name: string, findParents: FindParents): Resource {
  const { singular, collectionPath, itemPath, key, schema, reason } = draft;
  const members = entityProperties(root, schema);
  const properties = [...members.keys()];
  const marked = (mark: string) =>
    [...members].flatMap(([property, node]) => (isMarked(root, node, mark) ? [property] : []));
  const readOnly = once(() => marked('readOnly'));
  const writeOnly = once(() => marked('writeOnly'));
  return {
    name,
    singular,
    collectionPath,
    itemPath,
    key,
    parents: findParents(collectionPath, properties, key),
    schema,
    properties,
    required: schemaRequired(root, schema),
    // To look for marks is to follow every property to its schema, and only a change asks for them.
    get readOnly() {
      return readOnly();
    },
    get writeOnly() {
      return writeOnly();
    },
    reason,
  };
}

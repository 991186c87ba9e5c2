import { toMediaType } from './media-type.ts';
import { findResponse, type Operation } from './operations.ts';
import {
  isObject,
  resolveReference,
  type Schema,
  schemaProperties,
  schemaRequired,
  schemaTypes,
} from './schema.ts';
import { toSnake } from './snake-case.ts';

/** A kind of entity that the document exposes as a collection and items. */
export interface Resource {
  /** The last word of the collection's path: `pets`. */
  readonly name: string;
  /** One of them, in snake_case: `pet`. */
  readonly singular: string;
  /** The path template of an item: `/pets/{petId}`. */
  readonly itemPath: string;
  /** The path parameter that names an item, and the property of the entity that it is compared with. */
  readonly key: { readonly parameter: string; readonly property: string };
  /** What every entity holds to. */
  readonly schema: Schema;
  readonly properties: readonly string[];
  readonly required: readonly string[];
  /** Properties that no client sets. */
  readonly readOnly: readonly string[];
  /** Properties that no answer shows. */
  readonly writeOnly: readonly string[];
  /** Why it is one, in a clause. */
  readonly reason: string;
  /** Properties that are looked up often: references to other resources, and filters of the list. */
  readonly indexes: readonly string[];
}

export type ActionName = 'list' | 'create' | 'read' | 'replace' | 'update' | 'remove';

/** What an operation does to a resource. */
export interface ResourceAction {
  readonly name: ActionName;
  readonly resource: Resource;
}

export interface ResourceModel {
  readonly resources: ReadonlyMap<string, Resource>;
  /** By operation id. An operation that is not here has no state. */
  readonly actions: ReadonlyMap<string, ResourceAction>;
}

/** The model of a document whose every operation is answered without state. */
export const STATELESS: ResourceModel = { resources: new Map(), actions: new Map() };

/**
 * Infers the resources of a document: each pair of a collection path and an item path whose GET answers with an object
 * that has the key. `root` is what references resolve in.
 */
export function inferResources(root: unknown, operations: readonly Operation[]): ResourceModel {
  const byLabel = new Map(operations.map((operation) => [operation.label, operation]));
  const found = operations.flatMap((operation) => inferResource(root, operation, byLabel) ?? []);
  const singulars = new Set(found.map(({ singular }) => singular));
  const resources = new Map<string, Resource>();
  const actions = new Map<string, ResourceAction>();
  for (const draft of found) {
    if (resources.has(draft.name)) continue;
    const resource = { ...draft, indexes: inferIndexes(draft, singulars, byLabel) };
    resources.set(resource.name, resource);
    for (const [id, name] of inferActions(root, resource, byLabel)) actions.set(id, { name, resource });
  }
  return { resources, actions };
}

const ITEM_PATH = /^(.*\/([^/{}]+))\/\{([^{}]+)\}$/;

function inferResource(
  root: unknown,
  operation: Operation,
  byLabel: ReadonlyMap<string, Operation>,
): Resource | undefined {
  const [, collectionPath, name, parameter] = ITEM_PATH.exec(operation.path) ?? [];
  if (operation.method !== 'GET' || !collectionPath || !name || !parameter) return undefined;
  // Items below another item are scoped by it, which a flat collection cannot give.
  if (collectionPath.includes('{')) return undefined;
  if (!byLabel.has(`GET ${collectionPath}`) && !byLabel.has(`POST ${collectionPath}`)) return undefined;
  const schema = jsonSchemaOf(operation);
  if (!schema || !schemaTypes(root, schema).includes('object')) return undefined;
  const properties = schemaProperties(root, schema);
  const marked = (mark: string) =>
    [...properties].flatMap(([property, node]) => {
      const resolved = resolveReference(root, node);
      return isObject(resolved) && resolved[mark] === true ? [property] : [];
    });
  const property = [parameter, 'id'].find((candidate) => properties.has(candidate));
  if (property === undefined || !schemaTypes(root, properties.get(property)).includes('integer'))
    return undefined;
  return {
    name,
    singular: toSnake(toSingular(name)),
    itemPath: operation.path,
    key: { parameter, property },
    schema,
    properties: [...properties.keys()],
    required: schemaRequired(root, schema),
    readOnly: marked('readOnly'),
    writeOnly: marked('writeOnly'),
    reason: `GET ${operation.path} answers an object whose "${property}" is named by {${parameter}}`,
    indexes: [],
  };
}

function inferIndexes(
  resource: Resource,
  singulars: ReadonlySet<string>,
  byLabel: ReadonlyMap<string, Operation>,
): string[] {
  const filters = (byLabel.get(`GET ${collectionPathOf(resource)}`)?.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => name);
  return resource.properties.filter(
    (property) => filters.includes(property) || singulars.has(property.replace(/_?id$/i, '')),
  );
}

function inferActions(
  root: unknown,
  resource: Resource,
  byLabel: ReadonlyMap<string, Operation>,
): [id: string, name: ActionName][] {
  const collectionPath = collectionPathOf(resource);
  const candidates: [label: string, name: ActionName, answers: (operation: Operation) => boolean][] = [
    [`GET ${collectionPath}`, 'list', (operation) => answersList(root, operation)],
    [`POST ${collectionPath}`, 'create', (operation) => answersEntity(root, operation, resource)],
    [`GET ${resource.itemPath}`, 'read', () => true],
    [`PUT ${resource.itemPath}`, 'replace', (operation) => answersEntity(root, operation, resource)],
    [`PATCH ${resource.itemPath}`, 'update', (operation) => answersEntity(root, operation, resource)],
    [`DELETE ${resource.itemPath}`, 'remove', (operation) => jsonSchemaOf(operation) === undefined],
  ];
  return candidates.flatMap(([label, name, answers]) => {
    const operation = byLabel.get(label);
    return operation && answers(operation) ? [[operation.id, name] as [string, ActionName]] : [];
  });
}

/** Whether what the operation answers with is nothing, or an entity of the resource. */
function answersEntity(root: unknown, operation: Operation, resource: Resource): boolean {
  const schema = jsonSchemaOf(operation);
  return schema === undefined || schemaProperties(root, schema).has(resource.key.property);
}

function answersList(root: unknown, operation: Operation): boolean {
  const schema = resolveReference(root, jsonSchemaOf(operation));
  return isObject(schema) && schemaTypes(root, schema).includes('array') && schema.items !== undefined;
}

function jsonSchemaOf(operation: Operation): Schema | undefined {
  const contents = findResponse(operation, operation.successStatus)?.contents ?? [];
  return contents.find(({ mediaType }) => toMediaType(mediaType) === 'application/json')?.schema;
}

function collectionPathOf(resource: Resource): string {
  return resource.itemPath.slice(0, resource.itemPath.lastIndexOf('/'));
}

function toSingular(word: string): string {
  if (/ies$/i.test(word)) return `${word.slice(0, -3)}y`;
  if (/(ss|x|z|ch|sh)es$/i.test(word)) return word.slice(0, -2);
  return /[^s]s$/i.test(word) ? word.slice(0, -1) : word;
}

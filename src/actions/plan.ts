import { findResponse, type Operation } from '../operations/operations.ts';
import type { Parent, Resource, ResourceAction, Within } from '../resources/resources.ts';
import {
  answerSchema,
  bodySchema,
  entityProperties,
  findEntity,
  findList,
  isObjectSchema,
  keyBounds,
  keyParameterSchema,
  toListNames,
} from '../resources/resources.ts';
import { isObject, resolveReference, type Schema, schemaTypes } from '../schema/schema.ts';
import type { Entity } from '../store/store.ts';
import { buildFillIn, defaultsOf, type FillIn } from './defaults.ts';
import { buildListWrapper, type WrapList, withMember } from './envelope.ts';
import { buildListParameters, type ListParameters } from './list-parameters.ts';
import { buildSettle, type Settle } from './one-way.ts';
import { buildView, type View, type ViewParts } from './view.ts';

/** All that can be decided about an action before a request comes. */
export interface ActionPlan extends ResourceAction {
  /** The status of an answer to what made no new entity. */
  readonly done: number;
  /** The status of an answer to what made a new entity. */
  readonly created: number;
  /** Whether a PUT makes the entity that is not there yet. */
  readonly creates: boolean;
  /** Whether clients may choose the key of a new entity. */
  readonly takesKey: boolean;
  /** What the path parameter that names items holds to. */
  readonly parameterSchema: Schema | undefined;
  /** The integers that a key may be. */
  readonly keyBounds: ReturnType<typeof keyBounds>;
  /** The properties that no client sets in a new entity, or changes. */
  readonly kept: readonly string[];
  /** The properties that the document declares for a body, and whose values were checked when one came here. */
  readonly declared: ReadonlySet<string>;
  /** The path of an item, cut at its parameters: every other part is the name of one. */
  readonly itemPath: readonly string[] | undefined;
  /** The entity in a request body. */
  readonly unwrap: (body: unknown) => unknown;
  /** Properties whose values the path tells, and whether these are numbers. */
  readonly told: readonly (Within & { readonly numeric: boolean })[];
  /** The values that new entities have where the client gives none. */
  readonly defaults: Entity;
  /** Sets those inside of what a client gives; `undefined` where there are none. */
  readonly fillIn: FillIn | undefined;
  /** The entity as an answer of a status shows it; `undefined` where such an answer shows no entity. */
  readonly answer: (entity: Entity, status: number) => unknown;
  readonly list: ListPlan | undefined;
  /** The query parameters that choose among entities, where one is looked for. */
  readonly filters: ListParameters['filters'];
  /** Sets what no client sets inside an entity; `undefined` where there is nothing of the kind. */
  readonly settle: Settle | undefined;
}

export interface ListPlan {
  readonly parameters: ListParameters;
  readonly view: View;
  readonly wrap: WrapList;
  /** The most entities that one answer may have. */
  readonly most: number;
  /** The fewest. */
  readonly least: number;
  /** Adds generated items to those of a list, where the document does not allow so few. */
  readonly pad: (items: unknown[]) => unknown[];
}

export interface PlanParts extends ViewParts {
  readonly table: { readonly operations: readonly Operation[] };
}

export function buildPlan(parts: PlanParts, operation: Operation, action: ResourceAction): ActionPlan {
  const { root } = parts;
  const { resource, name } = action;
  const creation = declares(operation, 201);
  const all = entityProperties(root, resource.schema);
  const body = findBody(root, operation, resource);
  const members = body ? entityProperties(root, body.schema) : new Map<string, unknown>();
  const property = resource.key?.property ?? '';
  const parameterSchema = keyParameterSchema(parts.table.operations, resource);
  return {
    ...action,
    done: (creation && [200, 204].find((status) => declares(operation, status))) || operation.successStatus,
    created: creation ? 201 : operation.successStatus,
    creates: name === 'replace' && (creation || resource.key === undefined),
    parameterSchema,
    keyBounds: keyBounds(root, [resource.key?.schema, parameterSchema]),
    takesKey: members.has(property) && !resource.readOnly.includes(property),
    kept: [property, ...resource.readOnly],
    declared: new Set(members.keys()),
    itemPath: resource.itemPath?.split(/\{([^{}]+)\}/),
    unwrap: (value) => (body?.path ?? []).reduce(memberOf, value),
    told: [...action.within, ...resource.parents.flatMap(toWithin)].map((each) => {
      const types = schemaTypes(root, all.get(each.property));
      return { ...each, numeric: types.includes('integer') || types.includes('number') };
    }),
    defaults: { ...defaultsOf(root, all), ...defaultsOf(root, members) },
    fillIn: body && buildFillIn(root, body.schema),
    answer: buildAnswers(parts, operation, resource),
    filters: name === 'find' ? buildListParameters(root, operation, resource).filters : [],
    list: name === 'list' ? buildListPlan(parts, operation, resource) : undefined,
    settle: CHANGES.has(name) ? buildSettle(root, resource.schema) : undefined,
  };
}

const CHANGES: ReadonlySet<string> = new Set(['create', 'replace', 'update']);

function declares(operation: Operation, status: number): boolean {
  return findResponse(operation, status)?.code === String(status);
}

function toWithin({ parameter, property }: Parent): Within[] {
  return property === undefined ? [] : [{ parameter, property }];
}

function findBody(root: unknown, operation: Operation, { singular, properties }: Resource) {
  const isEntity = (members: ReadonlyMap<string, unknown>) => properties.some((each) => members.has(each));
  return findEntity(root, bodySchema(operation), isEntity, [singular]);
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function buildAnswers(parts: ViewParts, operation: Operation, resource: Resource): ActionPlan['answer'] {
  const views = new Map<number, View>();
  return (entity, status) => {
    const view = views.get(status) ?? buildAnswer(parts, operation, resource, status);
    views.set(status, view);
    return view(entity);
  };
}

function buildAnswer(parts: ViewParts, operation: Operation, resource: Resource, status: number): View {
  const { root, generate } = parts;
  const schema = answerSchema(operation, status);
  const { key, singular } = resource;
  const isEntity = (members: ReadonlyMap<string, unknown>) =>
    key ? members.has(key.property) : resource.properties.some((each) => members.has(each));
  const shape = findEntity(root, schema, isEntity, [singular]);
  if (!schema || !shape) return () => undefined;
  const view = buildView(parts, resource, shape.schema);
  if (shape.path.length === 0) return view;
  const around = generate(schema, `${operation.label} around`);
  return (entity) => withMember(around, shape.path, view(entity));
}

function buildListPlan(parts: ViewParts, operation: Operation, resource: Resource): ListPlan | undefined {
  const { root, generate } = parts;
  const schema = answerSchema(operation);
  const list = findList(root, schema, [...toListNames(resource.singular)]);
  if (!schema || !list || !isObjectSchema(root, list.schema)) return undefined;
  const around = list.path.length === 0 ? undefined : generate(schema, `${operation.label} around`);
  const bounds = boundsOf(root, schema, list.path);
  return {
    ...bounds,
    pad: buildPad(bounds.least, resource, (index) =>
      generate(list.schema, `${operation.label} filler ${index}`),
    ),
    parameters: buildListParameters(root, operation, resource),
    view: buildView(parts, resource, list.schema),
    wrap: buildListWrapper(root, schema, list.path, around),
  };
}

function boundsOf(root: unknown, schema: Schema, path: readonly string[]): Pick<ListPlan, 'most' | 'least'> {
  const list = path.reduce<unknown>((node, name) => entityProperties(root, node).get(name), schema);
  const resolved = resolveReference(root, list);
  const { maxItems, minItems } = isObject(resolved) ? resolved : {};
  return {
    most: typeof maxItems === 'number' ? maxItems : Number.POSITIVE_INFINITY,
    least: typeof minItems === 'number' ? minItems : 0,
  };
}

/** How many items are generated at most for each one that is missing: some have the key of one that is there. */
const TRIES = 20;

function buildPad(
  least: number,
  { key }: Resource,
  generateItem: (index: number) => unknown,
): ListPlan['pad'] {
  const made: unknown[] = [];
  const keyOf = (item: unknown) => String(memberOf(item, key?.property ?? ''));
  return (items) => {
    if (items.length >= least) return items;
    const padded = [...items];
    const keys = new Set(items.map(keyOf));
    for (let index = 0; padded.length < least && index < TRIES * least; index++) {
      if (index === made.length) made.push(generateItem(index));
      const item = made[index];
      if (item === undefined || (key && keys.has(keyOf(item)))) continue;
      keys.add(keyOf(item));
      padded.push(item);
    }
    return padded;
  };
}

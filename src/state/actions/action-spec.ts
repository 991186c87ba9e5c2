import { findResponse, type Operation, toNormalPath } from '../../model/operations/operations.ts';
import type {
  Embed,
  FileAction,
  Parent,
  Resource,
  ResourceAction,
  ResourceModel,
  Within,
} from '../../model/resources/resources.ts';
import {
  answerSchema,
  findBodyEntity,
  findEmbeds,
  isOpenAnswer,
  isOpenBody,
  keyBounds,
} from '../../model/resources/resources.ts';
import { isNumeric, type SchemaNode, type SchemaNodes } from '../../schema/schema.ts';
import type { Entity } from '../store/store.ts';
import { type AccountSpec, buildAccountSpec } from './account-spec.ts';
import { buildToBody, type ToBody } from './answer-body.ts';
import { type AttributesSpec, buildAttributes, toNestedBody } from './attributes.ts';
import { buildFillDefaults, defaultsOf, type FillDefaults } from './defaults.ts';
import { isTimestamp } from './fresh.ts';
import { memberOf } from './json-object.ts';
import { buildListParameters } from './list-parameters.ts';
import { buildReadFilters, type ReadFilters } from './list-query.ts';
import { buildListSpec, type ListSpec } from './list-spec.ts';
import { buildModifiedOf, type ModifiedOf } from './modified.ts';
import { findOwnerships, type Ownership } from './ownership.ts';
import { buildRestoreReadOnly, type RestoreReadOnly } from './read-only.ts';
import type { SpecParts } from './self-link.ts';
import { withoutFiles } from './without-files.ts';

/** Everything about the action of an operation that does not depend on the request. */
export interface ActionSpec extends ResourceAction {
  /** The status of an answer when no entity was created. */
  readonly successStatus: number;
  /** The status of an answer when an entity was created. */
  readonly createdStatus: number;
  /** Whether the `Location` of a new entity must be a whole URL. */
  readonly locatesByUrl: boolean;
  /** Whether the document declares a 409. */
  readonly declaresConflict: boolean;
  /** Whether a PUT creates a missing entity. */
  readonly createsMissing: boolean;
  /** Whether clients may choose the key of a new entity. */
  readonly acceptsKey: boolean;
  /** The schema of the path parameter that names items. */
  readonly parameterSchema: SchemaNode | undefined;
  /** The integers that a key may be. */
  readonly keyBounds: ReturnType<typeof keyBounds>;
  /** The properties that only the server sets. */
  readonly serverProperties: readonly string[];
  /** The properties that the document declares for a body, whose values are validated before the action is called. */
  readonly bodyProperties: ReadonlySet<string>;
  /** Whether a PUT leaves what its body omits, because the document requires nothing of the body. */
  readonly isPartial: boolean;
  /** The properties that every new entity gets. */
  readonly completed: readonly string[];
  /** The properties that show entities of other resources. */
  readonly embeds: readonly Embed[];
  /** Reads the time of the last change of the entity that an operation answers with. */
  readonly modifiedOf: ModifiedOf | undefined;
  /** The path of an item, split at its parameters: every second part is the name of one. */
  readonly itemPath: readonly string[] | undefined;
  /** `undefined` unless its entities have attributes. */
  readonly attributes: AttributesSpec | undefined;
  /** The file that comes with a request. */
  readonly file: FileAction | undefined;
  /** The entity in a request body. */
  readonly unwrap: (body: unknown) => unknown;
  /** The properties whose values the path decides, and whether these are numbers. */
  readonly pathProperties: readonly (Within & { readonly isNumeric: boolean })[];
  /** The values of a new entity's properties that the client leaves out. */
  readonly defaults: Entity;
  /** Adds the defaults of nested members to a body; `undefined` where there are none. */
  readonly fillDefaults: FillDefaults | undefined;
  /** The body of an answer with an entity and a status; `undefined` where such an answer shows no entity. */
  readonly toBody: ToBody;
  /** The answer of an operation by which users sign in or show themselves. */
  readonly account: AccountSpec | undefined;
  /** The properties that name the creator of an entity. */
  readonly ownerships: readonly Ownership[];
  /** Whether entities sign in. */
  readonly isUser: boolean;
  readonly list: ListSpec | undefined;
  /** Reads the conditions by which `find` chooses an entity. */
  readonly readFilters: ReadFilters;
  /** Restores nested readOnly members; `undefined` where there are none. */
  readonly restoreReadOnly: RestoreReadOnly | undefined;
}

/** Builds the spec of an operation's action. */
export function buildActionSpec(parts: SpecParts, operation: Operation, action: ResourceAction): ActionSpec {
  const { resource, name } = action;
  const all = resource.schema.sharedProperties;
  const body = findBodyEntity(operation, resource);
  const members: SchemaNodes = body?.schema.sharedProperties ?? new Map();
  const { parameterSchema } = resource;
  const toBody = buildToBody(parts, operation, action);
  const answered = toStatusFacts(parts, operation, action);
  const status = name === 'create' ? answered.createdStatus : answered.successStatus;
  const attributes = buildAttributes(resource, body?.schema);
  const file = parts.model.files.get(operation.id);
  return {
    ...action,
    ...answered,
    parameterSchema,
    keyBounds: keyBounds([resource.key?.schema, parameterSchema]),
    ...toBodyFacts(operation, resource, body?.schema),
    serverProperties: [resource.key?.property ?? '', ...resource.readOnly],
    completed: completedOf(resource, members),
    embeds: CHANGES.has(name) ? findEmbeds(parts.model, resource) : [],
    modifiedOf: name === 'read' || name === 'find' ? buildModifiedOf(resource, attributes) : undefined,
    itemPath: toItemPath(resource),
    attributes,
    file,
    unwrap: (value) => {
      const sent = file ? withoutFiles(value, file, resource) : value;
      return toNestedBody(attributes, resource, (body?.path ?? []).reduce(memberOf, sent));
    },
    pathProperties: toPathProperties(action),
    defaults: { ...defaultsOf(all), ...defaultsOf(members) },
    fillDefaults: body && buildFillDefaults(body.schema),
    toBody,
    ownerships: name === 'create' ? findOwnerships(parts.model, resource) : [],
    isUser: parts.model.users.has(resource.name),
    account: isAccountAction(parts.model, action)
      ? buildAccountSpec(parts, operation, action, status, (user, locate) => toBody(user, status, locate))
      : undefined,
    readFilters: buildFindFilters(operation, action),
    list: name === 'list' ? buildListSpec(parts, operation, resource) : undefined,
    restoreReadOnly: CHANGES.has(name) ? buildRestoreReadOnly(resource.schema) : undefined,
  };
}

/** The path of an entity, with the names of its parameters at odd places. */
function toItemPath({ location }: Resource): string[] | undefined {
  return location?.split(/\{([^{}]+)\}/).map((part, index) => (index % 2 === 0 ? toNormalPath(part) : part));
}

/** Reads the conditions of an action that finds one entity by the parameters of its list. */
function buildFindFilters(operation: Operation, { name, resource }: ResourceAction): ReadFilters {
  const filters = name === 'find' ? buildListParameters(operation, resource).filters : [];
  return buildReadFilters(filters, resource);
}

/** The statuses that the document declares for an action. */
function toStatusFacts(
  parts: SpecParts,
  operation: Operation,
  action: ResourceAction,
): Pick<
  ActionSpec,
  'successStatus' | 'createdStatus' | 'locatesByUrl' | 'declaresConflict' | 'createsMissing'
> {
  const creation = declares(operation, 201);
  const statuses = toSuccessStatuses(operation, creation);
  return {
    ...statuses,
    locatesByUrl: requiresUrl(parts, operation, statuses.createdStatus),
    declaresConflict: /^4(09|xx)$/i.test(findResponse(operation, 409)?.code ?? ''),
    createsMissing:
      action.name === 'replace' &&
      action.key !== 'token' &&
      (creation || action.resource.key === undefined || isOnlyCreation(parts, operation, action)),
  };
}

function toSuccessStatuses(
  operation: Operation,
  creation: boolean,
): Pick<ActionSpec, 'successStatus' | 'createdStatus'> {
  const { successStatus } = operation;
  if (!creation) return { successStatus, createdStatus: successStatus };
  const other = [200, 204].find((status) => declares(operation, status));
  return { successStatus: other ?? successStatus, createdStatus: 201 };
}

/** Whether the document declares a `Location` that a path alone does not satisfy, such as one of the format `uri`. */
function requiresUrl({ schemas }: SpecParts, operation: Operation, status: number): boolean {
  const header = findResponse(operation, status)?.headers.find(({ name }) => /^location$/i.test(name));
  const schema = header?.schema;
  const isValid = (sample: string) => schema !== undefined && schemas.check(schema, sample, '').length === 0;
  return !isValid('/things/1') && isValid('http://localhost/things/1');
}

/** The properties that every new entity gets: required and readOnly ones, and times that clients cannot send. */
function completedOf({ required, readOnly, properties }: Resource, members: SchemaNodes): string[] {
  const times = properties.filter((name) => isTimestamp(name) && !members.has(name));
  return [...new Set([...required, ...readOnly, ...times])];
}

/**
 * Whether a PUT is the only operation that can create an entity: the document declares neither a POST nor a 404 for an unknown key, and
 * either the client chooses the key as a name or the document leaves the answer open.
 */
function isOnlyCreation(
  { model }: SpecParts,
  operation: Operation,
  { resource, key: source }: ResourceAction,
): boolean {
  if (typeof source !== 'object' || !('parameter' in source)) return false;
  const { key } = resource;
  const isNamed = key?.type === 'string' && key.schema.keywords.format === undefined;
  if (!isNamed && answerSchema(operation) !== undefined && !isOpenAnswer(operation)) return false;
  if (/^4/.test(findResponse(operation, 404)?.code ?? '')) return false;
  return ![...model.actions.values()].some((each) => each.name === 'create' && each.resource === resource);
}

const CHANGES: ReadonlySet<string> = new Set(['create', 'replace', 'update']);

/** Whether an operation registers, signs in or shows a user. */
function isAccountAction({ users }: ResourceModel, { name, key, resource }: ResourceAction): boolean {
  if (name === 'create') return users.has(resource.name);
  return name === 'login' || name === 'refresh' || (key === 'token' && name !== 'remove');
}

/** The facts that follow from the entity in a body. A document that does not describe the body allows any member. */
function toBodyFacts(
  operation: Operation,
  { key, readOnly }: Resource,
  entity: SchemaNode | undefined,
): Pick<ActionSpec, 'acceptsKey' | 'bodyProperties' | 'isPartial'> {
  const isOpen = isOpenBody(operation);
  const bodyProperties = new Set(entity?.sharedProperties.keys());
  const property = key?.property ?? '';
  return {
    acceptsKey: (isOpen || bodyProperties.has(property)) && !readOnly.includes(property),
    bodyProperties,
    isPartial: isOpen || entity?.required.length === 0,
  };
}

function declares(operation: Operation, status: number): boolean {
  return findResponse(operation, status)?.code === String(status);
}

function toPathProperties({ within, resource }: ResourceAction): ActionSpec['pathProperties'] {
  return [...within, ...resource.parents.flatMap(toPathProperty)].map((each) => {
    const schema = resource.schema.sharedProperties.get(each.property);
    return { ...each, isNumeric: schema !== undefined && isNumeric(schema) };
  });
}

function toPathProperty({ parameter, property }: Parent): Within[] {
  return property === undefined ? [] : [{ parameter, property }];
}

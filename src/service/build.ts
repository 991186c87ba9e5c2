import {
  type BoundAction,
  bindActions,
  countFirstPage,
  type FindRules,
  type Rules,
} from '../actions/actions.ts';
import { currentYear } from '../clock.ts';
import { type Document, isUrl, loadDocument, loadOwnDocument } from '../document/document.ts';
import { createErrorShapes, type ErrorShapes } from '../errors/errors.ts';
import { buildFaultRules, type FaultRules } from '../faults/faults.ts';
import { sampleValue } from '../generate/generate.ts';
import { buildLifecycles, type Lifecycle } from '../lifecycle/lifecycle.ts';
import type { Cors } from '../message/message.ts';
import {
  buildOperationTable,
  createDeclaredHeaders,
  type Operation,
  type OperationTable,
} from '../operations/operations.ts';
import { OWN_DOCUMENT } from '../package-files.ts';
import { inferIndexes, keyBounds, type ResourceModel } from '../resources/resources.ts';
import { buildNegotiate, createResponder, type Negotiate, type Responder } from '../respond/respond.ts';
import { createSchemaChecker, type SchemaChecker, type SchemaNode } from '../schema/schema.ts';
import { buildSecurity, type Security } from '../security/security.ts';
import { createRealism, type Realism } from '../seeding/seeding.ts';
import { type CollectionOptions, createStore, type Store } from '../store/store.ts';
import {
  buildFindUnknown,
  createInputReader,
  type EntitySchemaOf,
  type FindUnknown,
  type ReadInput,
} from '../validate/validate.ts';
import { ACCOUNT_COLLECTIONS, buildCallers, buildCheckCaller, type CheckCaller } from './callers.ts';
import { buildCorsFor } from './cors.ts';
import { buildShowEntities, type ShowEntities } from './first-entities.ts';
import { buildGenerate, type Generate } from './generate.ts';
import { buildInitialState, type InitialState } from './initial-state.ts';
import type { MockOptions, ServiceOptions } from './service-options.ts';
import { buildModel, namesOff, toFixturesOrigin } from './state-options.ts';

/** Everything that follows from one document and its options. Immutable: a reload builds another one. */
export interface Service {
  readonly document: Document;
  readonly table: OperationTable;
  readonly model: ResourceModel;
  /** The business rules of the document, where it has any. */
  readonly rules: Rules | undefined;
  /** Checks entities and answers. */
  readonly schemas: SchemaChecker;
  /** Checks requests. */
  readonly requestSchemas: SchemaChecker;
  readonly lifecycles: ReadonlyMap<Operation, Lifecycle>;
  /** `undefined` if no operation requires credentials. */
  readonly security: Security | undefined;
  /** `undefined` if nobody signs in, or nothing is checked. */
  readonly checkCaller: CheckCaller | undefined;
  readonly faultRules: FaultRules;
  readonly readInput: ReadInput;
  readonly findUnknown: FindUnknown;
  /** Whether unknown input is refused instead of named in a warning. */
  readonly strict: boolean;
  /** The actions of the stateful operations. All other operations are answered from the document. */
  readonly actions: ReadonlyMap<Operation, BoundAction>;
  readonly responder: Responder;
  readonly negotiate: Negotiate;
  readonly errors: ErrorShapes;
  /** `undefined` where CORS is switched off. */
  readonly cors: Cors | undefined;
  readonly initial: InitialState;
  createStore(): Store;
  /** The options that decide what has state. */
  readonly options: Pick<ServiceOptions, 'stateless' | 'resources'>;
  /** The files and directories that it was read from. */
  readonly files: readonly string[];
}

/** Builds a service. Throws a SetupError for a mistake in document, fixtures or options. */
export async function buildService(
  options: ServiceOptions & Pick<MockOptions, 'cors' | 'corsOrigin'>,
  findRules: FindRules,
): Promise<Service> {
  const { auth = true, seed = 1, strictAuth = false } = options;
  const { document, table, lifecycles } = await loadOperations(options);
  const { reader } = document;
  const model = buildModel(table.operations, options);
  const schemas = createSchemaChecker(reader, 'answer');
  const rules = findRules(model);
  const callers = buildCallers(document.security, table.operations, strictAuth);
  const { components } = document.root;
  const year = currentYear();
  const realism = createRealism(year);
  const plain = buildGenerate({ schemas, components, seed, year });
  const realistic = buildGenerate({ schemas, components, seed, year, realism });
  const fixtures = toFixturesOrigin(options);
  const stateParts = {
    countFirstPage,
    generate: plain,
    realism,
    operations: table.operations,
    model,
    schemas,
    rules,
    seed,
  };
  const initial = await buildInitialState(stateParts, {
    fixtures,
    checked: document.checkedFixtures,
    withoutState: namesOff(options),
    empty: options.empty === true || options.stateless === true,
  });
  // With fixtures, nothing waits for realistic values to load.
  const generate = fixtures === undefined ? realistic : plain;
  const faultRules = buildFaultRules(options.errors ?? [], options.delay ?? 0, table.find, seed);
  const collections = toCollections(table, model);
  return {
    ...{ document, table, lifecycles, model, rules, schemas, initial, faultRules, options },
    ...buildAnswering(document, table, schemas, {
      plain,
      realistic,
      showEntities: buildShowEntities(model, initial),
      ready: realism.ready,
    }),
    readInput: createInputReader(toEntitySchemaOf(model)),
    findUnknown: buildFindUnknown(toQueryKeys(document.security)),
    strict: options.strict ?? false,
    actions: bindActions({ table, model, rules, schemas, generate, seed, callers }),
    checkCaller: auth
      ? buildCheckCaller({ security: document.security, operations: table.operations, model, callers })
      : undefined,
    requestSchemas: createSchemaChecker(reader, 'request'),
    security: buildSecurity(document.security, table.operations, auth),
    cors: buildCorsFor(options, table, faultRules),
    createStore: () => createStore(collections, initial.of),
    files: [
      ...document.files.filter((file) => !isUrl(file) && file !== '-'),
      ...(typeof fixtures === 'string' ? [fixtures] : []),
    ],
  };
}

async function loadOperations({
  spec = OWN_DOCUMENT,
  allowRemoteRefs = false,
  auth = true,
  lifecycle,
}: ServiceOptions) {
  const { source, ...loaded } =
    (await loadOwnDocument(spec)) ?? (await loadDocument(spec, { allowRemoteRefs, auth }));
  const table = buildOperationTable(loaded);
  const { leftOut } = loaded;
  const { lifecycles, diagnostics } = buildLifecycles({ table, overrides: lifecycle ?? {}, source, leftOut });
  const document: Document = { ...loaded, notes: [...loaded.notes, ...diagnostics] };
  return { document, table, lifecycles };
}

/** Generators that need nothing, and those of realistic values, which must be ready first. */
interface Generators {
  readonly plain: Generate;
  readonly realistic: Generate;
  readonly showEntities: ShowEntities;
  readonly ready: Realism['ready'];
}

/** Builds the parts that write answers. */
function buildAnswering(
  document: Document,
  { operations }: OperationTable,
  schemas: SchemaChecker,
  { plain, realistic, showEntities, ready }: Generators,
): Pick<Service, 'responder' | 'negotiate' | 'errors'> {
  const headers = createDeclaredHeaders({ generate: plain });
  const errors = createErrorShapes({ headers, operations, schemas, generate: plain });
  const sample = (schema: SchemaNode) => sampleValue(schema.definition, document.root);
  const isValid = (schema: SchemaNode, value: unknown) => schemas.check(schema, value, '').length === 0;
  return {
    errors,
    responder: createResponder({ headers }),
    negotiate: buildNegotiate({
      ...{ errors, headers, showEntities, ready, sample, isValid },
      generate: realistic,
    }),
  };
}

/** The entity that an operation creates or changes, which takes the members of a body that the document does not declare. */
function toEntitySchemaOf({ actions }: ResourceModel): EntitySchemaOf {
  return ({ id }) => {
    const action = actions.get(id);
    return action && WRITING.has(action.name) ? action.resource.schema : undefined;
  };
}

const WRITING: ReadonlySet<string> = new Set([
  'create',
  'replace',
  'update',
  'act',
  'login',
  'refresh',
  'logout',
]);

/** Describes each resource for the store, lazily: the getters run when the resource is first used. */
function toCollections(table: OperationTable, model: ResourceModel): CollectionOptions[] {
  const resources = [...model.resources.values()].map((resource) => ({
    name: resource.name,
    get firstKey() {
      return keyBounds([resource.key?.schema, resource.parameterSchema]).least;
    },
    get indexes() {
      return inferIndexes(model, resource, table.find);
    },
  }));
  return model.users.size === 0 ? resources : [...resources, ...ACCOUNT_COLLECTIONS];
}

/** The query parameters that hold credentials. */
function toQueryKeys(security: Document['security']): string[] {
  const schemes = [...new Set(security.values())].flat(2);
  return schemes.flatMap((scheme) => ('in' in scheme && scheme.in === 'query' ? [scheme.name] : []));
}

import { createErrorShapes, type ErrorShapes } from '../../answer/errors/errors.ts';
import { buildFaultRules, type FaultRules } from '../../answer/faults/faults.ts';
import { buildLifecycles, type Lifecycle, type SunsetMode } from '../../answer/lifecycle/lifecycle.ts';
import {
  buildNegotiate,
  createResponder,
  type Negotiate,
  type Responder,
} from '../../answer/respond/respond.ts';
import { buildSecurity, type Security } from '../../answer/security/security.ts';
import {
  buildFindUnknown,
  createInputReader,
  type FindUnknown,
  type ReadInput,
} from '../../answer/validate/validate.ts';
import { createPushVariant } from '../../answer/variants/variants.ts';
import { parseInstant } from '../../base/clock.ts';
import {
  type Document,
  type DocumentMediaType,
  isUrl,
  loadDocument,
  loadOwnDocument,
  readServed,
} from '../../document/document.ts';
import {
  buildOperationTable,
  createDeclaredHeaders,
  type Operation,
  type OperationTable,
} from '../../model/operations/operations.ts';
import type { ResourceModel } from '../../model/resources/resources.ts';
import { OWN_DOCUMENT } from '../../package-files.ts';
import { sampleValue } from '../../schema/generate/generate.ts';
import { createSchemaChecker, type SchemaChecker, type SchemaNode } from '../../schema/schema.ts';
import {
  type BoundAction,
  bindActions,
  countFirstPage,
  type FindRules,
  type Rules,
} from '../../state/actions/actions.ts';
import { buildReadState, type ReadState } from '../../state/seeding/seeding.ts';
import { createStore, type Store } from '../../state/store/store.ts';
import { type AddressOf, buildAddressOf, type Cors } from '../../wire/message/message.ts';
import { buildCallers, buildCheckCaller, type CheckCaller, type CheckParts } from './callers.ts';
import { toCollections } from './collections.ts';
import { buildCorsFor } from './cors.ts';
import { toEntitySchemaOf } from './entity-schemas.ts';
import { buildShowEntities, type ShowEntities } from './first-entities.ts';
import { toSpareGenerate } from './generate.ts';
import { buildGenerators, type Generators } from './generators.ts';
import { buildInitialState, type InitialState } from './initial-state.ts';
import { buildReadFault, type ReadFault, toRules } from './read-fault.ts';
import { warnOfReservedPaths } from './reserved-paths.ts';
import { toSeedNumber } from './seed.ts';
import { CONTROL_PATH, type MockOptions, type ServiceOptions } from './service-options.ts';
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
  /** `undefined` if the document has no users, or credentials are not checked. */
  readonly checkCaller: CheckCaller | undefined;
  readonly faultRules: FaultRules;
  readonly readFault: ReadFault['readFault'];
  readonly readFaultHeader: ReadFault['readFaultHeader'];
  readonly readInput: ReadInput;
  readonly findUnknown: FindUnknown;
  /** Whether unknown input is refused instead of named in a warning. */
  readonly strict: boolean;
  /** The actions of the stateful operations. All other operations are answered from the document. */
  readonly actions: ReadonlyMap<Operation, BoundAction>;
  /** Whether an operation only takes a file, gives it back or removes it. */
  hasOnlyFile(operation: Operation): boolean;
  readonly responder: Responder;
  readonly negotiate: Negotiate;
  readonly errors: ErrorShapes;
  /** `undefined` where CORS is switched off. */
  readonly cors: Cors | undefined;
  readonly addressOf: AddressOf;
  /** The path before everything that is about the mock itself. */
  readonly controlPath: string;
  readonly initial: InitialState;
  /** Reads lists of entities in the shape of fixtures. */
  readonly readState: ReadState;
  /** The time at which the clock of a session begins, in milliseconds since the epoch; `undefined` for that of the system. */
  readonly startTime: number | undefined;
  /** The answer of operations past their sunset, unless a session has another mode. */
  readonly sunset: SunsetMode;
  /** The seed of all chance. */
  readonly seed: number;
  /** A sentence for everything in fixtures and faults that is probably a mistake. */
  readonly warnings: readonly string[];
  createStore(): Store;
  /** Writes the document as it is served. Reads it again, because it is too large to keep. Throws a SetupError if it is gone. */
  readServed(mediaType: DocumentMediaType): Promise<string>;
  /** The options that decide what has state, and whether the rest is made up. */
  readonly options: Pick<ServiceOptions, 'stateless' | 'resources' | 'dynamic'>;
  /** The files and directories that it was read from. */
  readonly files: readonly string[];
}

/** Builds a service. Throws a SetupError for a mistake in document, fixtures or options. */
export async function buildService(
  options: ServiceOptions & Pick<MockOptions, 'cors' | 'corsOrigin'>,
  findRules: FindRules,
): Promise<Service> {
  const { auth = true, strictAuth = false, controlPath = CONTROL_PATH } = options;
  const seed = toSeedNumber(options.seed ?? 1);
  const { document, table, lifecycles, again } = await loadOperations(options);
  const { operations } = table;
  const model = buildModel(operations, options);
  const schemas = createSchemaChecker(document.reader, 'answer');
  const rules = findRules(model);
  const callers = buildCallers(document.security, operations, strictAuth);
  const generators = buildGenerators(document, schemas, seed);
  const { plain, realistic, realism } = generators;
  const fixtures = toFixturesOrigin(options);
  const initial = await buildInitialState(
    { countFirstPage, generate: plain, realism, operations, model, schemas, rules, seed },
    {
      fixtures,
      checked: document.checkedFixtures,
      withoutState: namesOff(options),
      empty: options.empty === true || options.stateless === true,
    },
  );
  // With fixtures, nothing waits for realistic values to load.
  const generate = fixtures === undefined ? realistic : plain;
  const faultRules = buildFaultRules(toRules(options), options.delay ?? 0, table);
  const collections = toCollections(table, model);
  return {
    ...{ document, table, lifecycles, model, rules, schemas, initial, faultRules, options, seed },
    ...buildAnswering(document, table, { schemas, model }, generators, buildShowEntities(model, initial)),
    ...buildSecurityChecks({ security: document.security, operations, model, callers }, auth),
    readInput: createInputReader(toEntitySchemaOf(model)),
    findUnknown: buildFindUnknown(toQueryKeys(document.security)),
    strict: options.strict ?? false,
    actions: bindActions({ table, model, rules, schemas, generate, seed, callers }),
    hasOnlyFile: ({ id }) => model.files.has(id) && !model.actions.has(id),
    requestSchemas: createSchemaChecker(document.reader, 'request'),
    addressOf: buildAddressOf(options.baseUrl),
    controlPath,
    ...readTimes(options),
    ...buildReadFault(table),
    cors: buildCorsFor(options, table),
    warnings: [...initial.warnings, ...faultRules.warnings, ...warnOfReservedPaths(operations, controlPath)],
    readState: buildReadState({ resources: model.resources, schemas, seed }),
    createStore: () => createStore(collections, initial.of),
    readServed: (mediaType) => readServed(again, mediaType, options.allowRemoteRefs),
    files: toFiles(document, fixtures),
  };
}

function readTimes({ now, sunset = 'warn' }: ServiceOptions): Pick<Service, 'startTime' | 'sunset'> {
  return { startTime: parseInstant(now), sunset };
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
  // Standard input cannot be read twice.
  const again = spec === '-' ? { source } : { from: spec };
  return { document, table, lifecycles, again };
}

/** Builds the checks of credentials and their users. */
function buildSecurityChecks(parts: CheckParts, auth: boolean): Pick<Service, 'security' | 'checkCaller'> {
  return {
    security: buildSecurity(parts.security, parts.operations, auth),
    checkCaller: auth ? buildCheckCaller(parts) : undefined,
  };
}

/** Builds the parts that write answers. */
function buildAnswering(
  document: Document,
  { operations }: OperationTable,
  { schemas, model }: Pick<Service, 'schemas' | 'model'>,
  { plain, realistic, realism }: Generators,
  showEntities: ShowEntities,
): Pick<Service, 'responder' | 'negotiate' | 'errors'> {
  const spare = toSpareGenerate(plain);
  const headers = createDeclaredHeaders({ generate: spare });
  const errors = createErrorShapes({ headers, operations, schemas, generate: spare });
  const sample = (schema: SchemaNode) => sampleValue(schema.definition, document.root);
  const isValid = (schema: SchemaNode, value: unknown) => schemas.check(schema, value, '').length === 0;
  const pushVariant = createPushVariant({ schemas, model, generate: spare });
  return {
    errors,
    responder: createResponder({ headers, pushVariant }),
    negotiate: buildNegotiate({
      ...{ errors, headers, showEntities, sample, isValid, pushVariant },
      ready: realism.ready,
      generate: realistic,
    }),
  };
}

/** Lists the local files and directories that a service is read from. */
function toFiles(document: Document, fixtures: unknown): string[] {
  const files = document.files.filter((file) => !isUrl(file) && file !== '-');
  return typeof fixtures === 'string' ? [...files, fixtures] : files;
}

/** The query parameters that hold credentials. */
function toQueryKeys(security: Document['security']): string[] {
  const schemes = [...new Set(security.values())].flat(2);
  return schemes.flatMap((scheme) => ('in' in scheme && scheme.in === 'query' ? [scheme.name] : []));
}

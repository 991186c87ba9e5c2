import {
  type Document,
  isUrl,
  loadDocument,
  loadOwnDocument,
  OWN_DOCUMENT,
  type Source,
} from '../document/document.ts';
import { createErrorShapes } from '../errors/errors.ts';
import { buildFaults, type FaultRule, parseFaultRule } from '../faults/faults.ts';
import { createRandom, generateValue } from '../generate/generate.ts';
import { createHandler, type Handler } from '../handle/handle.ts';
import type { LifecycleFacts } from '../lifecycle/lifecycle.ts';
import { buildLifecycle, type Lifecycle } from '../lifecycle/lifecycle.ts';
import {
  buildOperationTable,
  createDeclaredHeaders,
  headerNamesOf,
  type Operation,
  type OperationTable,
} from '../operations/operations.ts';
import { petstoreRules, type Rules } from '../petstore/petstore.ts';
import { SetupError } from '../problem.ts';
import { inferIndexes, keyBounds, keyParameterSchema, type ResourceModel } from '../resources/resources.ts';
import { createNegotiator, createResponder } from '../respond/respond.ts';
import type { Schema } from '../schema/schema.ts';
import { createSchemaChecker } from '../schema/schema.ts';
import { buildSecurity, type Security } from '../security/security.ts';
import { createStore, type Session } from '../store/store.ts';
import { createInputReader } from '../validate/validate.ts';
import { inherit } from './inherit.ts';
import { buildInitialState, type InitialState } from './initial-state.ts';
import type { ServiceOptions } from './service-options.ts';
import { buildModel, namesOff, toFixturesDirectory } from './state-options.ts';

export { findNearest } from './find-nearest.ts';
export {
  type DocumentInfo,
  type Note,
  type OperationInfo,
  type ResourceInfo,
  toDocumentInfo,
  toOperationInfo,
  toResourceInfo,
} from './info.ts';
export type { Option } from './option.ts';
export { COMMAND_OPTIONS, CONFIG_OPTION } from './options.ts';
export { readOptions, toUnknownOption } from './read-options.ts';
export type { MockOptions, ServiceOptions } from './service-options.ts';
export { LOG_LEVELS, type LogFormat, type LogLevel, type Settings } from './settings.ts';

/** A document with everything that was built from it, and the state that goes with it. */
export interface World {
  readonly document: Document;
  readonly table: OperationTable;
  readonly model: ResourceModel;
  readonly lifecycles: ReadonlyMap<Operation, Lifecycle>;
  readonly security: Security | undefined;
  readonly handler: Handler;
  readonly session: Session;
  /** The business rules of the document, where it has any. */
  readonly rules: Rules | undefined;
  /** State, chance and counts as they were at first. */
  reset(): void;
  /**
   * Takes over from a world before it what clients changed there and still fits here. Returns a sentence for each thing
   * that was dropped.
   */
  inherit(former: World): Promise<string[]>;
  /** The entities that a fresh session starts with. */
  readonly initial: InitialState;
  /** The files and directories that it was read from. */
  readonly files: readonly string[];
  /** Every response header that the document declares or an error rule sends. */
  readonly headerNames: readonly string[];
}

/** Builds everything once. Throws a SetupError for a mistake in document, fixtures or rules. */
export async function buildWorld(options: ServiceOptions): Promise<World> {
  const { spec = OWN_DOCUMENT, allowRemoteRefs = false, auth = true } = options;
  const { source, ...loaded } =
    (await loadOwnDocument(spec)) ?? (await loadDocument(spec, { allowRemoteRefs, auth }));
  const table = buildOperationTable(loaded);
  const { lifecycles, notes } = buildLifecycles(table, options.lifecycle ?? {}, source, loaded.leftOut);
  const document: Document = { ...loaded, notes: [...loaded.notes, ...notes] };
  const model = buildModel(document.root, table.operations, options);
  const schemas = createSchemaChecker(document.root, 'answer');
  const rules = petstoreRules(model);
  const seed = options.seed ?? 1;
  const directory = toFixturesDirectory(options);
  const stateParts = {
    root: document.root,
    operations: table.operations,
    model,
    schemas,
    rules,
    seed,
  };
  const initial = await buildInitialState(stateParts, {
    directory,
    checked: document.checkedFixtures,
    withoutState: namesOff(options),
    empty: options.empty === true || options.stateless === true,
  });
  const store = createStore(
    [...model.resources.values()].map((resource) => ({
      name: resource.name,
      get firstKey() {
        const named = keyParameterSchema(table.operations, resource);
        return keyBounds(document.root, [resource.key?.schema, named]).least;
      },
      get indexes() {
        return inferIndexes(model, resource, table.find);
      },
    })),
    initial.of,
  );
  const session = store.session();
  const errors = (options.errors ?? []).map(toRule);
  const faults = buildFaults(errors, table.find, seed);
  const security = buildSecurity(document.security, table.operations, auth);
  const { delay, resetDelay } = buildDelay(options.delay ?? 0, seed);
  const isValid = (schema: Schema, value: unknown) => schemas.check(schema, value, '').length === 0;
  const generate = (schema: Schema, name: string, { examples = true } = {}) =>
    generateValue(schema, {
      examples,
      seed: `${seed} ${name}`,
      components: document.root.components,
      isValid: (value) => isValid(schema, value),
    });
  const headers = createDeclaredHeaders({ root: document.root, generate });
  const errorShapes = createErrorShapes({
    headers,
    root: document.root,
    operations: table.operations,
    schemas,
    generate,
  });
  const handler = createHandler({
    table,
    model,
    rules,
    store,
    schemas,
    requestSchemas: createSchemaChecker(document.root, 'request'),
    lifecycles,
    faults,
    security,
    errors: errorShapes,
    ready: initial.ready,
    root: document.root,
    seed,
    generate,
    negotiate: createNegotiator({ document, errors: errorShapes, headers, generate, isValid }),
    readInput: createInputReader(document.root),
    responder: createResponder({ root: document.root, headers }),
    delay,
  });
  const reset = () => {
    session.reset();
    faults.reset();
    resetDelay();
  };
  const parts = { model, schemas, rules, session, initial };
  return {
    ...parts,
    document,
    table,
    lifecycles,
    security,
    handler,
    reset,
    async inherit(former) {
      await Promise.all([initial.ready(), former.initial.ready()]);
      return inherit(parts, former);
    },
    files: [
      ...document.files.filter((file) => !isUrl(file) && file !== '-'),
      ...(directory === undefined ? [] : [directory]),
    ],
    headerNames: [
      ...document.root.operations.flatMap((operation) => headerNamesOf(document.root, operation)),
      ...errors.flatMap(({ headers }) => Object.keys(headers ?? {})),
    ],
  };
}

function buildLifecycles(
  table: OperationTable,
  overrides: Readonly<Record<string, LifecycleFacts>>,
  source: Source,
  leftOut: ReadonlySet<string>,
) {
  const byOperation = new Map<Operation, LifecycleFacts>();
  for (const [name, facts] of Object.entries(overrides)) {
    const operation = table.find(name);
    if (!operation) {
      throw new SetupError(
        `The option lifecycle names "${name}", which is no operation of the document. "petstore-mock routes" lists them.`,
        { usage: true },
      );
    }
    byOperation.set(operation, facts);
  }
  const parts = { source, leftOut, find: table.find };
  const built = table.operations.map((operation) => ({
    operation,
    ...buildLifecycle(operation, parts, byOperation.get(operation)),
  }));
  return {
    lifecycles: new Map(built.map(({ operation, lifecycle }) => [operation, lifecycle])),
    notes: built.flatMap(({ notes }) => notes),
  };
}

function toRule(rule: string | FaultRule): FaultRule {
  return typeof rule === 'string' ? parseFaultRule(rule) : rule;
}

function buildDelay(bounds: number | readonly [number, number], seed: number) {
  const [from, to] = typeof bounds === 'number' ? [bounds, bounds] : bounds;
  let random = createRandom(`${seed}:delay`);
  return {
    delay: { from, to, random: () => random() },
    resetDelay: () => {
      random = createRandom(`${seed}:delay`);
    },
  };
}

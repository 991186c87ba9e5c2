import { resolve } from 'node:path';
import { type Document, loadDocument, OWN_DOCUMENT } from './document.ts';
import { createErrorShapes } from './error-shape.ts';
import { buildFaults, type FaultRule, parseFaultRule } from './faults.ts';
import { OWN_FIXTURES } from './fixtures.ts';
import { createRandom, generateValue } from './generate.ts';
import { createHandler, type Handler } from './handle.ts';
import { inherit } from './inherit.ts';
import { buildInitialState } from './initial-state.ts';
import { buildLifecycle, type Lifecycle, type LifecycleFacts } from './lifecycle.ts';
import { createNegotiator } from './negotiate.ts';
import { buildOperationTable, headerNamesOf, type Operation, type OperationTable } from './operations.ts';
import { petstoreRules } from './petstore.ts';
import { createPrism, type Prism } from './prism.ts';
import { SetupError } from './problem.ts';
import { inferResources, type ResourceModel, STATELESS } from './resources.ts';
import type { Schema } from './schema.ts';
import { createSchemaChecker } from './schemas.ts';
import { isUrl } from './source.ts';
import { createStore, type Entity, type Session, type Snapshot } from './store.ts';

/** What decides about a mock's answers. */
export interface WorldOptions {
  /** File, URL or object of the OpenAPI document; the pet store's own unless given. */
  readonly spec?: string | object;
  /** Whether the document's references may lead to other hosts; false unless given. */
  readonly allowRemoteRefs?: boolean;
  /** Directory with a file of entities for each resource; the pet store's own for its own document. */
  readonly fixtures?: string;
  /** Start without entities. */
  readonly empty?: boolean;
  /** Keep no state: every answer comes from the document's examples and schemas. */
  readonly stateless?: boolean;
  /** Decides every generated value and every chance; 1 unless given. */
  readonly seed?: number;
  /** Milliseconds to wait before every answer, or the bounds between which each wait falls. */
  readonly delay?: number | readonly [from: number, to: number];
  /** Error rules, in their short form or as objects. The first one that hits a request decides. */
  readonly errors?: readonly (string | FaultRule)[];
  /** Deprecation and stability, by operationId or label, over what the document says. */
  readonly lifecycle?: Readonly<Record<string, LifecycleFacts>>;
}

/** A document with everything that was built from it, and the state that goes with it. */
export interface World {
  readonly document: Document;
  readonly table: OperationTable;
  readonly model: ResourceModel;
  readonly lifecycles: ReadonlyMap<Operation, Lifecycle>;
  readonly handler: Handler;
  readonly prism: () => Promise<Prism>;
  readonly session: Session;
  /** State, chance and counts as they were at first. */
  reset(): void;
  /**
   * Takes over from a world before it what clients changed there and still fits here. Returns a sentence for each thing
   * that was dropped.
   */
  inherit(former: World): string[];
  /** The entities that a fresh session starts with. */
  readonly initial: Snapshot;
  /** The files and directories that it was read from. */
  readonly files: readonly string[];
  /** Every response header that the document declares or an error rule sends. */
  readonly headerNames: readonly string[];
}

/** Builds everything once. Throws a SetupError for a mistake in document, fixtures or rules. */
export async function buildWorld(options: WorldOptions): Promise<World> {
  const { spec = OWN_DOCUMENT, allowRemoteRefs = false } = options;
  const document = await loadDocument(spec, { allowRemoteRefs });
  const table = buildOperationTable(document);
  const model = options.stateless ? STATELESS : inferResources(document.root, table.operations);
  const schemas = createSchemaChecker(document.root, 'answer');
  const rules = petstoreRules(model);
  const store = createStore([...model.resources.values()]);
  const session = store.session();
  const seed = options.seed ?? 1;
  const directory = toFixturesDirectory(options);
  const stateParts = {
    root: document.root,
    operations: table.operations,
    model,
    schemas,
    rules,
    session,
    seed,
  };
  const initial = await buildInitialState(stateParts, {
    directory,
    empty: (options.empty || options.stateless) ?? false,
  });
  const lifecycles = buildLifecycles(table, options.lifecycle ?? {});
  const errors = (options.errors ?? []).map(toRule);
  const faults = buildFaults(errors, table.find, seed);
  const prism = once(() => createPrism(document.root));
  const { delay, resetDelay } = buildDelay(options.delay ?? 0, seed);
  const generate = (schema: Schema, name: string, { examples = true } = {}) =>
    generateValue(schema, {
      examples,
      seed: `${seed} ${name}`,
      components: document.root.components,
      isValid: (value) => schemas.check(schema, value, '').length === 0,
    });
  const errorShapes = createErrorShapes({
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
    errors: errorShapes,
    generate: (resource, key) => (generate(resource.schema, `${resource.name} ${key}`) ?? {}) as Entity,
    negotiate: createNegotiator({ document, errors: errorShapes, generate, prism }),
    prism,
    delay,
  });
  const reset = () => {
    session.restore(initial);
    faults.reset();
    resetDelay();
  };
  const parts = { model, schemas, rules, session, initial };
  return {
    ...parts,
    document,
    table,
    lifecycles,
    handler,
    prism,
    reset,
    inherit: (former) => inherit(parts, former),
    files: [
      ...document.files.filter((file) => !isUrl(file) && file !== '-'),
      ...(directory === undefined ? [] : [directory]),
    ],
    headerNames: [
      ...table.operations.flatMap(headerNamesOf),
      ...errors.flatMap(({ headers }) => Object.keys(headers ?? {})),
    ],
  };
}

function buildLifecycles(
  table: OperationTable,
  overrides: Readonly<Record<string, LifecycleFacts>>,
): ReadonlyMap<Operation, Lifecycle> {
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
  return new Map(
    table.operations.map((operation) => [
      operation,
      buildLifecycle(operation, table.find, byOperation.get(operation)),
    ]),
  );
}

function toFixturesDirectory({ spec, fixtures, empty, stateless }: WorldOptions): string | undefined {
  if (empty || stateless) return undefined;
  const own = spec === undefined || (typeof spec === 'string' && resolve(spec) === OWN_DOCUMENT);
  return fixtures ?? (own ? OWN_FIXTURES : undefined);
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

/** Makes it on the first call, and gives the same one ever after; a failure is not kept. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

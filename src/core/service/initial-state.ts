import type { Rules } from '../../state/actions/actions.ts';
import type { Realism, SeedingParts } from '../../state/seeding/seeding.ts';
import {
  createFixtureMistakes,
  createSeeder,
  type FixtureOptions,
  type FixturesOrigin,
  loadFixtures,
} from '../../state/seeding/seeding.ts';
import { type CollectionSnapshot, createStore, type Snapshot, type Store } from '../../state/store/store.ts';
import { sortByKey } from './key-order.ts';

/** Everything that the first state is built from. */
interface InitialStateParts extends Omit<SeedingParts, 'generateRealistic' | 'withoutCompanions'> {
  readonly rules: Rules | undefined;
  readonly realism: Realism;
}

/** Where the first entities come from. */
interface InitialStateSource extends FixtureOptions {
  /** The fixtures; without them, entities are generated from the document. */
  readonly fixtures: FixturesOrigin | undefined;
  readonly empty: boolean;
}

/** The state of a fresh session. */
export interface InitialState {
  /** Loads the generators of entities, before `of` is called; `undefined` if everything is loaded. */
  ready(): Promise<void> | undefined;
  /** The first entities of a resource. Throws an `Error` before it is ready. */
  of(resource: string): CollectionSnapshot | undefined;
  /** The number of first entities of a resource; `undefined` if they are generated on first use. */
  countOf(resource: string): number | undefined;
  /** A sentence for everything in the fixtures that is probably a mistake. */
  readonly warnings: readonly string[];
}

/** Builds the first state, lazily where possible. Throws a SetupError for fixtures that contradict the rules. */
export async function buildInitialState(
  parts: InitialStateParts,
  { fixtures, empty, ...options }: InitialStateSource,
): Promise<InitialState> {
  if (empty) return { ready: () => readyFor(parts), of: () => undefined, countOf: () => 0, warnings: [] };
  if (fixtures !== undefined) return fixate(parts, fixtures, options);
  const lazy = createLazyState(parts);
  if (!parts.rules) return lazy;
  await lazy.ready();
  return toInitialState(seed(parts, parts.rules, lazy));
}

function toInitialState({ collections }: Snapshot, warnings: readonly string[] = []): InitialState {
  const of = (resource: string) => (Object.hasOwn(collections, resource) ? collections[resource] : undefined);
  return {
    ready: () => undefined,
    of,
    countOf: (resource) => of(resource)?.size ?? 0,
    warnings,
  };
}

/** Loads what state without fixtures needs to make up values. */
function readyFor({ model, realism }: InitialStateParts): Promise<void> | undefined {
  return model.resources.size === 0 ? undefined : realism.ready();
}

/** Generates the entities of a resource at its first use, because a document may have hundreds of resources. */
function createLazyState(parts: InitialStateParts): InitialState {
  const made = new Map<string, CollectionSnapshot>();
  const seeder = createSeeder({
    ...parts,
    withoutCompanions: parts.rules !== undefined,
    generateRealistic: parts.realism.generate,
  });
  return {
    ready: () => readyFor(parts),
    of(name) {
      const resource = parts.model.resources.get(name);
      if (!resource) return undefined;
      const snapshot = made.get(name) ?? seeder(resource);
      made.set(name, snapshot);
      return snapshot;
    },
    countOf: () => undefined,
    warnings: [],
  };
}

async function fixate(
  parts: InitialStateParts,
  origin: FixturesOrigin,
  options: FixtureOptions,
): Promise<InitialState> {
  const { model, schemas, rules, seed } = parts;
  const fixtures = await loadFixtures(origin, { resources: model.resources, schemas, seed }, options);
  const store = createScratch(parts, fixtures.snapshot);
  rules?.complete(store);
  const mistakes = createFixtureMistakes();
  for (const { entity, message } of rules?.findContradictions(store) ?? []) {
    const place = () => fixtures.locate(entity.resource, entity.key);
    mistakes.add({ place, reason: message, remedy: 'Correct the one or the other.' });
  }
  mistakes.throwIfAny();
  return toInitialState(toKeyOrder(store.snapshot()), fixtures.warnings);
}

/** Leaves out generated entities that contradict the rules, without a message: nobody wrote them as a state. */
function seed(parts: InitialStateParts, rules: Rules, lazy: InitialState): Snapshot {
  const names = [...parts.model.resources.keys()];
  const store = createScratch(parts, {
    collections: Object.fromEntries(names.flatMap((name) => [[name, lazy.of(name) as CollectionSnapshot]])),
  });
  for (;;) {
    rules.complete(store);
    const contradictions = rules.findContradictions(store);
    if (contradictions.length === 0) return toKeyOrder(store.snapshot());
    const left = contradictions.filter(({ entity }) => store.collection(entity.resource).delete(entity.key));
    // The rules may name keys that the store does not have; then nothing can be corrected.
    if (left.length === 0) return { collections: {} };
  }
}

function toKeyOrder({ collections }: Snapshot): Snapshot {
  const sorted = Object.entries(collections).map(([name, snapshot]) => [name, sortByKey(snapshot)]);
  return { collections: Object.fromEntries(sorted) };
}

/** Creates a store in which to build a first state. */
function createScratch({ model }: InitialStateParts, snapshot: Snapshot): Store {
  const store = createStore([...model.resources.keys()].map((name) => ({ name, indexes: [] })));
  store.restore(snapshot);
  return store;
}

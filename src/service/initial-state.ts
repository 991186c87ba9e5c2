import type { Rules } from '../actions/actions.ts';
import { SetupError } from '../problem.ts';
import { inKeyOrder as toKeyOrder } from '../resources/resources.ts';
import type { Realist, SeedingParts } from '../seeding/seeding.ts';
import { createSeeder, type FixtureOptions, loadFixtures, loadRealist } from '../seeding/seeding.ts';
import {
  type CollectionSnapshot,
  createStore,
  type Snapshot,
  type Store,
  toCollectionSnapshot,
} from '../store/store.ts';

/** What the first state of a session is made of. */
export interface InitialStateParts extends Omit<SeedingParts, 'realist' | 'withoutCompanions'> {
  readonly rules: Rules | undefined;
}

/** Where the first entities come from. */
export interface InitialStateSource extends FixtureOptions {
  /** The fixtures; without them the document itself shows what there may be. */
  readonly directory: string | undefined;
  readonly empty: boolean;
}

/** The state that every session begins with. */
export interface InitialState {
  /** What entities are made with must be there before they are asked for; `undefined` if it is. */
  ready(): Promise<void> | undefined;
  /** What a resource holds at first. Throws an `Error` before it is ready. */
  of(resource: string): CollectionSnapshot | undefined;
}

/** Prepares the first state, as far as it must be known now. Throws a SetupError for fixtures that contradict the rules. */
export async function buildInitialState(
  parts: InitialStateParts,
  { directory, empty, ...options }: InitialStateSource,
): Promise<InitialState> {
  if (empty) return toInitialState({ collections: {} });
  if (directory !== undefined) return toInitialState(await fixate(parts, directory, options));
  const lazy = createLazyState(parts);
  if (!parts.rules) return lazy;
  await lazy.ready();
  return toInitialState(seed(parts, parts.rules, lazy));
}

function toInitialState({ collections }: Snapshot): InitialState {
  return {
    ready: () => undefined,
    of: (resource) => (Object.hasOwn(collections, resource) ? collections[resource] : undefined),
  };
}

/** Entities are made when their resource is first asked for: a document may have hundreds of them. */
function createLazyState(parts: InitialStateParts): InitialState {
  let realist: Realist | undefined;
  let loading: Promise<void> | undefined;
  const made = new Map<string, CollectionSnapshot>();
  const seeder = createSeeder({
    ...parts,
    withoutCompanions: parts.rules !== undefined,
    realist: (field, seeds) => {
      if (!realist) throw new Error('Entities are asked for before the state is ready');
      return realist(field, seeds);
    },
  });
  return {
    ready() {
      if (realist || parts.model.resources.size === 0) return undefined;
      loading ??= loadRealist().then((loaded) => {
        realist = loaded;
      });
      return loading;
    },
    of(name) {
      const resource = parts.model.resources.get(name);
      if (!resource) return undefined;
      const snapshot = made.get(name) ?? seeder(resource);
      made.set(name, snapshot);
      return snapshot;
    },
  };
}

async function fixate(
  parts: InitialStateParts,
  directory: string,
  options: FixtureOptions,
): Promise<Snapshot> {
  const { model, schemas, rules } = parts;
  const fixtures = await loadFixtures(directory, model.resources, schemas, options);
  const store = createScratch(parts, fixtures.snapshot);
  rules?.complete(store);
  const [contradiction] = rules?.findContradictions(store) ?? [];
  if (contradiction) {
    const place = fixtures.locate(contradiction.entity.resource, contradiction.entity.key);
    throw new SetupError(`${place}: ${contradiction.message}. Correct the one or the other.`);
  }
  return inKeyOrder(store.snapshot());
}

/** Nobody wrote these entities down as a state, so what contradicts the rules is left out in silence. */
function seed(parts: InitialStateParts, rules: Rules, lazy: InitialState): Snapshot {
  const names = [...parts.model.resources.keys()];
  const store = createScratch(parts, {
    collections: Object.fromEntries(names.flatMap((name) => [[name, lazy.of(name) as CollectionSnapshot]])),
  });
  for (;;) {
    rules.complete(store);
    const contradictions = rules.findContradictions(store);
    if (contradictions.length === 0) return inKeyOrder(store.snapshot());
    const left = contradictions.filter(({ entity }) => store.collection(entity.resource).delete(entity.key));
    // Keys that are not those of the rules leave nothing to mend.
    if (left.length === 0) return { collections: {} };
  }
}

function inKeyOrder({ collections }: Snapshot): Snapshot {
  const ordered = Object.entries(collections).map(([name, snapshot]) => [
    name,
    toCollectionSnapshot(toKeyOrder(snapshot.entries), {
      nextKey: snapshot.nextKey,
      scopes: Object.fromEntries(snapshot.scopes),
    }),
  ]);
  return { collections: Object.fromEntries(ordered) };
}

/** A store to put a first state together in. */
function createScratch({ model }: InitialStateParts, snapshot: Snapshot): Store {
  const store = createStore([...model.resources.keys()].map((name) => ({ name, indexes: [] })));
  store.restore(snapshot);
  return store;
}

import { type Collection, ScopeCollection, type TableSource } from './collection.ts';
import { Counter } from './counter.ts';
import type { Owner } from './nodes.ts';
import { CollectionSnapshot, type Scope, type TableOptions, tableOf, tablesOf } from './snapshot.ts';
import type { Table } from './table.ts';
import type { Tree } from './tree.ts';

/** The scope below the items with these keys, outermost first. */
export function toScope(keys: readonly unknown[]): string {
  return keys.map((key) => encodeURIComponent(String(key))).join('/');
}

/** The store, as the collections of a resource see it. */
export interface ScopedCollectionsHost {
  /** The state in which a resource starts when it is next used. */
  load(resource: string): CollectionSnapshot;
  /** Called after every change. */
  noteChange(resource: string): void;
  /** Called after an entity without a scope was deleted. */
  noteRemoval(resource: string, key: string): void;
  /** Called with how many bytes a client wrote. */
  noteWritten(bytes: number): void;
}

interface ResourceState {
  readonly options: TableOptions;
  readonly counter: Counter;
  unscoped: Table;
  scopes: Tree<string, Scope>;
}

/** The collections of one resource: the one without a scope, and those of changed scopes. */
export class ScopedCollections implements TableSource {
  readonly #host: ScopedCollectionsHost;
  readonly #resource: string;
  readonly #unscoped: Collection;
  /** Renewed whenever the nodes become shared, so that the next change copies them. */
  #owner: Owner = {};
  #state: ResourceState | undefined;
  /** The last snapshot, until something changes. */
  #snapshot: CollectionSnapshot | undefined;

  constructor(host: ScopedCollectionsHost, resource: string) {
    this.#host = host;
    this.#resource = resource;
    this.#unscoped = new ScopeCollection(this, '');
  }

  get isLoaded(): boolean {
    return this.#state !== undefined;
  }

  of(scope: string): Collection {
    this.#load();
    return scope === '' ? this.#unscoped : new ScopeCollection(this, scope);
  }

  get counter(): Counter {
    return this.#load().counter;
  }

  read(scope: string): Table {
    return tableOf(this.#load(), scope);
  }

  change(scope: string): Table {
    const state = this.#load();
    const shown = this.read(scope);
    // On its first change a scope starts to share nodes with the entities without a scope.
    if (scope !== '' && shown === state.unscoped) this.#owner = {};
    const table = shown.ownedBy(this.#owner);
    if (scope === '') state.unscoped = table;
    else if (table !== shown) this.#changeScopes().set(scope, { name: scope, table });
    this.touch();
    return table;
  }

  touch(): void {
    this.#snapshot = undefined;
    this.#host.noteChange(this.#resource);
  }

  noteRemoval(scope: string, key: string): void {
    if (scope === '') this.#host.noteRemoval(this.#resource, key);
  }

  noteWritten(bytes: number): void {
    this.#host.noteWritten(bytes);
  }

  /** The tables that are in use; none before the first one is. */
  *tables(): Generator<Table, undefined> {
    if (!this.#state) return;
    yield* tablesOf({ ...this.#state, retired: this.#state.counter.retired });
  }

  /** Drops a scope and those below it. */
  drop(scope: string): void {
    this.#take(scope);
    this.touch();
  }

  /** Moves a scope and those below it to another name, where nothing is left of what was there. Returns the new names. */
  move(scope: string, to: string): string[] {
    const taken = this.#take(scope);
    this.#take(to);
    const scopes = this.#changeScopes();
    const names = taken.map(({ name, table }) => {
      const moved = to + name.slice(scope.length);
      scopes.set(moved, { name: moved, table });
      return moved;
    });
    this.touch();
    return names;
  }

  snapshot(): CollectionSnapshot {
    const { options, counter, unscoped, scopes } = this.#load();
    if (!this.#snapshot) {
      this.#owner = {};
      const { nextKey, retired } = counter;
      this.#snapshot = new CollectionSnapshot({ options, nextKey, unscoped, scopes, retired });
    }
    return this.#snapshot;
  }

  restore(snapshot: CollectionSnapshot): void {
    const { options, nextKey, unscoped, scopes, retired } = snapshot.parts;
    this.#state = {
      options,
      unscoped,
      scopes,
      counter: new Counter(options.firstKey ?? 1, nextKey, retired),
    };
    this.#snapshot = snapshot;
  }

  /** Drops the state; the resource is loaded again when it is next used. */
  unload(): void {
    this.#state = undefined;
    this.#snapshot = undefined;
  }

  #load(): ResourceState {
    if (!this.#state) this.restore(this.#host.load(this.#resource));
    return this.#state as unknown as ResourceState;
  }

  /** Removes a scope and those below it. */
  #take(scope: string): Scope[] {
    const scopes = this.#changeScopes();
    const own = scopes.get(scope);
    const taken = own ? [own] : [];
    if (own) scopes.remove(scope);
    const below = `${scope}/`;
    const position = scopes.rank(below);
    for (let next = scopes.at(position); next?.name.startsWith(below); next = scopes.at(position)) {
      scopes.remove(next.name);
      taken.push(next);
    }
    return taken;
  }

  #changeScopes(): Tree<string, Scope> {
    const state = this.#load();
    state.scopes = state.scopes.ownedBy(this.#owner);
    return state.scopes;
  }
}

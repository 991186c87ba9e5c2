import { type Collection, ScopeCollection, type TableSource } from './collection.ts';
import { Counter } from './counter.ts';
import type { Owner } from './nodes.ts';
import { CollectionSnapshot, type Scope, type TableOptions, tableOf } from './snapshot.ts';
import type { Table } from './table.ts';
import type { Tree } from './tree.ts';

/** The scope below items with these keys, outermost first. */
export function toScope(keys: readonly unknown[]): string {
  return keys.map((key) => encodeURIComponent(String(key))).join('/');
}

/** What the collections of a resource need of the store that they are in. */
export interface ScopedCollectionsHost {
  /** What a resource holds when it is next asked for. */
  begin(resource: string): CollectionSnapshot;
  /** Called after every change. */
  noteChange(): void;
}

interface State {
  readonly options: TableOptions;
  readonly counter: Counter;
  unscoped: Table;
  scopes: Tree<string, Scope>;
}

/** The collections of one resource: the one without a scope, and those of the scopes that were changed. */
export class ScopedCollections implements TableSource {
  readonly #host: ScopedCollectionsHost;
  readonly #resource: string;
  readonly #unscoped: Collection;
  /** Renewed whenever something else comes to share the nodes, so that the next change copies them. */
  #owner: Owner = {};
  #state: State | undefined;
  /** The state as it was last taken, as long as nothing changes. */
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
    // The first change of a scope: from now on it shares its nodes with the entities without a scope.
    if (scope !== '' && shown === state.unscoped) this.#owner = {};
    const table = shown.ownedBy(this.#owner);
    if (scope === '') state.unscoped = table;
    else if (table !== shown) this.#changeScopes().set(scope, { name: scope, table });
    this.touch();
    return table;
  }

  touch(): void {
    this.#snapshot = undefined;
    this.#host.noteChange();
  }

  /** Forgets a scope and those below it. */
  drop(scope: string): void {
    const scopes = this.#changeScopes();
    if (scopes.get(scope)) scopes.remove(scope);
    const below = `${scope}/`;
    const position = scopes.rank(below);
    for (let next = scopes.at(position); next?.name.startsWith(below); next = scopes.at(position))
      scopes.remove(next.name);
    this.touch();
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

  /** Forgets everything; the resource begins again when it is next asked for. */
  unload(): void {
    this.#state = undefined;
    this.#snapshot = undefined;
  }

  #load(): State {
    if (!this.#state) this.restore(this.#host.begin(this.#resource));
    return this.#state as unknown as State;
  }

  #changeScopes(): Tree<string, Scope> {
    const state = this.#load();
    state.scopes = state.scopes.ownedBy(this.#owner);
    return state.scopes;
  }
}

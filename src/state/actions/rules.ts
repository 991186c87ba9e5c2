import type { ResourceModel } from '../../model/resources/resources.ts';
import type { Entity, Store } from '../store/store.ts';
import type { Action } from './context.ts';

/** The business rules of a service, given to the core from outside. */
export interface Rules {
  /** Replacements for generic actions, by action and resource (`create orders`), else by operationId. */
  readonly actions: ReadonlyMap<string, Action>;
  /** Adds the entities and values that follow from others. */
  complete(store: Store): void;
  /** Every way in which the entities contradict the rules. */
  findContradictions(store: Store): Contradiction[];
  /**
   * Undoes the effects of an entity on others. Called when a reload drops it; `restored` is the fixture entity that takes its place,
   * if there is one.
   */
  release(store: Store, name: EntityName, dropped: Entity, restored: Entity | undefined): void;
}

/** Finds the rules that apply to a document; `undefined` where none do. */
export type FindRules = (model: ResourceModel) => Rules | undefined;

/** One way in which the entities contradict the rules. */
export interface Contradiction {
  /** The entity that the message is about. */
  readonly entity: EntityName;
  /** The entity whose existence alone would resolve it. */
  readonly missing?: EntityName;
  /** A clause: `pet 3 is sold, but its inventory entry is pending`. */
  readonly message: string;
}

export interface EntityName {
  readonly resource: string;
  readonly key: string;
}

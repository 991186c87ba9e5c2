import type { Schema } from '../schema/schema.ts';
import type { Key } from './keys.ts';

/** A kind of entity that the document exposes. */
export interface Resource {
  /** The last word of the collection's path: `pets`; with the words before it, if that is taken: `old.pets`. */
  readonly name: string;
  /** One of them, in snake_case: `pet`. */
  readonly singular: string;
  /** `/owners/{ownerId}/pets` */
  readonly collectionPath: string;
  /** `/owners/{ownerId}/pets/{petId}`; `undefined` where no path names an item. */
  readonly itemPath: string | undefined;
  /** What tells entities apart; `undefined` where there is only one. */
  readonly key: Key | undefined;
  /** The items that the entities stand below, outermost first: each has entities of its own. */
  readonly parents: readonly Parent[];
  /** What every entity holds to. */
  readonly schema: Schema;
  readonly properties: readonly string[];
  readonly required: readonly string[];
  /** Properties that no client sets. */
  readonly readOnly: readonly string[];
  /** Properties that no answer shows. */
  readonly writeOnly: readonly string[];
  /** Why it is one, in a clause. */
  readonly reason: string;
}

/** An item that a path goes through. */
export interface Parent {
  /** The path parameter that names it. */
  readonly parameter: string;
  /** The resource that it is of; any name will do where there is none. */
  readonly resource: string | undefined;
  /** The parameters that name its own parents. */
  readonly scope: readonly string[];
  /** The property in which an entity below it names it, if there is one. */
  readonly property: string | undefined;
}

export type ActionName = 'list' | 'create' | 'read' | 'find' | 'replace' | 'update' | 'remove';

/** What an operation does to a resource. */
export interface ResourceAction {
  readonly name: ActionName;
  readonly resource: Resource;
  /** Where the key of the entity comes from: a path parameter, or the body. */
  readonly key: { readonly parameter: string } | 'body' | undefined;
  /** The items that must be there for it. */
  readonly parents: readonly Parent[];
  /** Path parameters that tell the value of a property: of the entities that count, and of new ones. */
  readonly within: readonly Within[];
}

export interface Within {
  readonly parameter: string;
  readonly property: string;
}

export interface ResourceModel {
  readonly resources: ReadonlyMap<string, Resource>;
  /** By operation id. An operation that is not here has no state. */
  readonly actions: ReadonlyMap<string, ResourceAction>;
}

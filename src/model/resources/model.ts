import type { SchemaNode } from '../../schema/schema.ts';
import type { Key } from './keys.ts';

/** A kind of entity that the document exposes. */
export interface Resource {
  /** The last word of the collection's path, `pets`; with the words before it if that name is taken, `old.pets`. */
  readonly name: string;
  /** The word for one entity, in snake_case: `pet`. */
  readonly singular: string;
  /** `/owners/{ownerId}/pets` */
  readonly collectionPath: string;
  /** `/owners/{ownerId}/pets/{petId}`; `undefined` where no path names an item. */
  readonly itemPath: string | undefined;
  /** The path in the document by which an entity is read, which may be another one than `itemPath`. */
  readonly location: string | undefined;
  /** The schema of the path parameter that names an item. */
  readonly parameterSchema: SchemaNode | undefined;
  /** `undefined` for a singleton. */
  readonly key: Key | undefined;
  /** The items above the collection in its path, outermost first. Each combination has its own entities. */
  readonly parents: readonly Parent[];
  /** The schema of an entity. */
  readonly schema: SchemaNode;
  readonly properties: readonly string[];
  readonly required: readonly string[];
  /** Properties that no client sets. */
  readonly readOnly: readonly string[];
  /** Properties that no answer shows. */
  readonly writeOnly: readonly string[];
  /** Why it was inferred, as a clause. */
  readonly reason: string;
}

/** An item in the path to other entities. */
export interface Parent {
  /** The path parameter that names it. */
  readonly parameter: string;
  /** The resource of the item. `undefined` where the document has none, and any key is accepted. */
  readonly resource: string | undefined;
  /** The parameters that name its own parents. */
  readonly scope: readonly string[];
  /** The property of a child entity that names this parent, if any. */
  readonly property: string | undefined;
}

export const ACTION_NAMES = [
  'list',
  'create',
  'read',
  'find',
  'replace',
  'update',
  'remove',
  'act',
  'login',
  'refresh',
  'logout',
] as const;
export type ActionName = (typeof ACTION_NAMES)[number];

/** The effect of an operation on a resource. */
export interface ResourceAction extends ActionTarget {
  readonly name: ActionName;
  /** The effect of an `act` on its entity. */
  readonly effect?: Effect;
}

/** The entities that an action is about. */
export interface ActionTarget {
  readonly resource: Resource;
  /** The source of the entity's key: a path or query parameter, the body, or the token of the request. */
  readonly key: { readonly parameter: string } | { readonly query: string } | 'body' | 'token' | undefined;
  /** The parent items that must exist. */
  readonly parents: readonly Parent[];
  /** Path parameters that give a property its value: they select existing entities and set it on new ones. */
  readonly within: readonly Within[];
}

/** The effect of an operation below an item, by the verb in its path: `POST /orders/{id}/cancel`. */
export interface Effect {
  readonly edits: readonly Edit[];
  /** Whether its answer may show the entity, rather than one of another resource. */
  readonly isShown: boolean;
  /** The list in the entity that it changes. */
  readonly parts?: PartsEffect;
}

/** A change of a list in an entity: `POST /cart/items` adds to it, `DELETE /cart/items/{itemId}` removes from it. */
export interface PartsEffect {
  readonly property: string;
  /** The word for one item. */
  readonly singular: string;
  /** The schema of an item. */
  readonly schema: SchemaNode;
  /** The key of an item, if it has one. */
  readonly key: Key | undefined;
  /** The path parameter that names an item; `undefined` where the path names the whole list. */
  readonly parameter: string | undefined;
}

/** A change of one property. */
export type Edit =
  | {
      readonly kind: 'value';
      readonly property: string;
      readonly value: string | boolean | null;
      /** The only value that it replaces; any one unless given. */
      readonly from?: string;
    }
  /** A count of those for whom a boolean beside it is true. */
  | {
      readonly kind: 'count';
      readonly property: string;
      readonly beside: string;
      readonly by: number;
    }
  /** The time of the session. */
  | { readonly kind: 'time'; readonly property: string };

export interface Within {
  readonly parameter: string;
  readonly property: string;
}

export interface ResourceModel {
  readonly resources: ReadonlyMap<string, Resource>;
  /** By operation id. An operation without an action is stateless. */
  readonly actions: ReadonlyMap<string, ResourceAction>;
  /** The names of the resources whose entities sign in. */
  readonly users: ReadonlySet<string>;
  /** By operation id. Such an operation may have an action too. */
  readonly files: ReadonlyMap<string, FileAction>;
}

/** How an operation treats a file that a client hands in. */
type FileRole = 'upload' | 'download' | 'discard';

/** The part of an operation in the life of a file. */
export interface FileAction {
  readonly role: FileRole;
  /** The same for all operations on one kind of file: `pets /photo`. */
  readonly id: string;
  /** The item that it belongs to. `undefined` where the path names none, or the operation creates it. */
  readonly owner: ActionTarget | undefined;
  /** The path parameters behind the owner. */
  readonly parameters: readonly string[];
  /** The names of files in a form; empty where the body is the file. */
  readonly parts: readonly string[];
}

/** Declares parts of a resource that would otherwise be inferred. */
export interface ResourceOverride {
  /** The path of the collection: `/products`. */
  readonly collection?: string;
  /** The path of an item: `/product/{sku}`. */
  readonly item?: string;
  /** The property that identifies an entity. */
  readonly key?: string;
}

/** By the name of a resource; false makes it stateless. */
export type ResourceOverrides = Readonly<Record<string, false | ResourceOverride>>;

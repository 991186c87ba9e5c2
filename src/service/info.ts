import { toDate } from '../clock.ts';
import type { Note } from '../document/document.ts';
import type { Operation } from '../operations/operations.ts';
import type { Resource } from '../resources/resources.ts';
import type { Service } from './build.ts';

export type { Note } from '../document/document.ts';

/** The document that is served. */
export interface DocumentInfo {
  /** The file or URL. */
  readonly location: string;
  readonly title: string;
  /** What of it is not served as it stands there. */
  readonly notes: readonly Note[];
}

/** An operation of the document, as `routes` shows it. */
export interface OperationInfo {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly deprecated: boolean;
  /** When it may be gone. */
  readonly sunset: Date | undefined;
  readonly stability: string | undefined;
  /** What a request must have, as in `X-API-Key header or Bearer token`; `undefined` for nothing. */
  readonly credentials: string | undefined;
  /** What a client should know of it. */
  readonly notice: string | undefined;
}

/** A kind of entity that has state, as `routes --resources` shows it. */
export interface ResourceInfo {
  readonly name: string;
  readonly collectionPath: string;
  /** `undefined` where no path names an item. */
  readonly itemPath: string | undefined;
  /** The property that names an entity; `undefined` where there is only one. */
  readonly key: string | undefined;
  /** What its operations do: `list`, `create`, `read`, `find`, `replace`, `update`, `remove`. */
  readonly actions: readonly string[];
  readonly reason: string;
}

/** What there is to show of the document. */
export function toDocumentInfo({ document: { location, title, notes } }: Service): DocumentInfo {
  return { location, title, notes };
}

/** What there is to show of an operation. */
export function toOperationInfo({ lifecycles, security }: Service, operation: Operation): OperationInfo {
  const lifecycle = lifecycles.get(operation);
  const { id, method, path, summary } = operation;
  return {
    id,
    method,
    path,
    summary,
    deprecated: lifecycle?.deprecated ?? false,
    sunset: lifecycle?.sunset === undefined ? undefined : toDate(lifecycle.sunset * 1000),
    stability: lifecycle?.stability,
    credentials: security?.describe(operation),
    notice: lifecycle?.notice,
  };
}

/** What there is to show of a resource. */
export function toResourceInfo({ model }: Service, resource: Resource): ResourceInfo {
  const { name, collectionPath, itemPath, key, reason } = resource;
  const actions = [...model.actions.values()].filter((action) => action.resource === resource);
  return {
    name,
    collectionPath,
    itemPath,
    key: key?.property,
    actions: [...new Set(actions.map((action) => action.name))],
    reason,
  };
}

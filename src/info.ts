import type { Operation } from './operations.ts';
import type { Resource } from './resources.ts';
import type { World } from './world.ts';

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
  /** What a client should know of it. */
  readonly notice: string | undefined;
}

/** A kind of entity that has state, as `routes --resources` shows it. */
export interface ResourceInfo {
  readonly name: string;
  readonly collectionPath: string;
  readonly itemPath: string;
  /** The property that names an entity. */
  readonly key: string;
  /** What its operations do: `list`, `create`, `read`, `replace`, `update`, `remove`. */
  readonly actions: readonly string[];
  readonly reason: string;
}

/** What there is to show of an operation. */
export function toOperationInfo({ lifecycles }: World, operation: Operation): OperationInfo {
  const lifecycle = lifecycles.get(operation);
  const { id, method, path, summary } = operation;
  return {
    id,
    method,
    path,
    summary,
    deprecated: lifecycle?.deprecated ?? false,
    sunset: lifecycle?.sunset === undefined ? undefined : new Date(lifecycle.sunset * 1000),
    stability: lifecycle?.stability,
    notice: lifecycle?.notice,
  };
}

/** What there is to show of a resource. */
export function toResourceInfo({ model }: World, resource: Resource): ResourceInfo {
  const { name, itemPath, key, reason } = resource;
  const actions = [...model.actions.values()].filter((action) => action.resource === resource);
  return {
    name,
    collectionPath: itemPath.slice(0, itemPath.lastIndexOf('/')),
    itemPath,
    key: key.property,
    actions: actions.map((action) => action.name),
    reason,
  };
}

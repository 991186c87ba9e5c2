import type { Service } from '../../core/service/service.ts';
import type { Operation } from '../../model/operations/operations.ts';
import { templateNames } from '../../model/operations/operations.ts';
import type { ActionName, Resource } from '../../model/resources/resources.ts';
import type { Entity } from '../../state/store/store.ts';
import { type Ask, findShownEntity, readJsonBody } from './answer.ts';
import { itemPathOf } from './item-path.ts';
import type { Requests } from './requests.ts';

/** Finds values for path parameters that lead to existing entities. */
export interface Keys {
  /** Finds the raw value of each parameter of an operation's path. */
  find(operation: Operation): Promise<Record<string, string>>;
}

/** The sources of keys. */
export interface KeySources {
  readonly service: Service;
  readonly requests: Requests;
  /** Returns the first entity of a resource in the store. */
  readonly firstEntity: (resource: Resource) => Entity | undefined;
  /** Returns the entity of a resource in the store that has a key. */
  readonly findEntity: (resource: Resource, key: string) => Entity | undefined;
}

/** Takes keys from the list of their resource, else from the store, and generates all other values. */
export function createKeys({ service, firstEntity, requests }: KeySources, ask: Ask): Keys {
  const { model } = service;
  const resources = [...model.resources.values()];
  const byItemPath = new Map(resources.map((resource) => [toNamelessPath(itemPathOf(resource)), resource]));
  const known = new Map<string, string | undefined>();

  const listKey = async (resource: Resource, values: Readonly<Record<string, string>>) => {
    const list = findAction(service, resource, 'list');
    const request = list && requests.build(list, alignKeys(list, Object.values(values)));
    if (request === undefined || typeof request === 'string') return undefined;
    const answer = await ask(request);
    return answer.status === 200
      ? findShownEntity(readJsonBody(answer), resource.key?.property ?? '')
      : undefined;
  };
  const keyOf = async (resource: Resource, values: Readonly<Record<string, string>>, path: string) => {
    if (known.has(path)) return known.get(path);
    const entity = (await listKey(resource, values)) ?? firstEntity(resource);
    const key = entity?.[resource.key?.property ?? ''];
    const raw = key === undefined ? undefined : encodeURIComponent(String(key));
    known.set(path, raw);
    return raw;
  };
  return {
    async find(operation) {
      const values: Record<string, string> = {};
      for (const [whole, name = ''] of operation.path.matchAll(/\{([^{}]+)\}/g)) {
        const before = operation.path.slice(0, operation.path.indexOf(whole));
        const resource =
          byItemPath.get(toNamelessPath(before + whole)) ??
          findNamed(service, operation, name) ??
          resources.find(({ itemPath, key }) => key?.parameter === name && isTopLevel(service, itemPath));
        const path = fillPath(before, values) + (resource?.itemPath ?? '');
        const key = resource && (await keyOf(resource, values, path));
        const value = key ?? requests.pathValue(operation, name);
        if (value !== undefined) values[name] = value;
      }
      return values;
    },
  };
}

/** The resource of an operation whose path names an item by a parameter, though it is not the path of the item: `/things/edit/{id}`. */
function findNamed({ model }: Service, { id }: Operation, name: string): Resource | undefined {
  const action = model.actions.get(id);
  const { key } = action ?? {};
  const isNamed = typeof key === 'object' && 'parameter' in key && key.parameter === name;
  return isNamed ? action?.resource : undefined;
}

/** Whether a path has no parameter but its last, and can be read. */
function isTopLevel({ table }: Service, itemPath: string | undefined): boolean {
  return (
    itemPath !== undefined &&
    !itemPath.slice(0, -1).includes('}') &&
    table.find(`GET ${itemPath}`) !== undefined
  );
}

/** Finds the operation for an action, preferably on the resource's own paths. Lists on other paths may be incomplete. */
export function findAction(
  { model, table }: Service,
  resource: Resource,
  name: ActionName,
): Operation | undefined {
  const found = table.operations.filter(({ id }) => {
    const action = model.actions.get(id);
    // The user of the request differs from the one that was created.
    return action?.name === name && action.resource === resource && action.key !== 'token';
  });
  const own = [resource.itemPath, resource.collectionPath];
  const other = name === 'list' ? undefined : found[0];
  return found.find(({ path }) => own.includes(path)) ?? other;
}

/** Maps raw values of path parameters from their positions to the names in an operation's path. */
export function alignKeys(operation: Operation, raw: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    templateNames(operation.path).flatMap((name, index) =>
      raw[index] === undefined ? [] : [[name, raw[index]]],
    ),
  );
}

/** Removes the names of parameters from a path template. */
function toNamelessPath(path: string): string {
  return path.replace(/\{[^{}]+\}/g, '{}');
}

function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{([^{}]+)\}/g, (_, name: string) => values[name] ?? '');
}

import type { Operation } from '../operations/operations.ts';
import { templateNames } from '../operations/operations.ts';
import type { ActionName, Resource } from '../resources/resources.ts';
import type { Service } from '../service/service.ts';
import type { Entity } from '../store/store.ts';
import { type Ask, findEntity, readJson } from './answer.ts';
import { itemPathOf } from './item-path.ts';
import type { Requests } from './requests.ts';

/** Finds values for the parameters of a path that lead to something which is there. */
export interface Keys {
  /** The raw value of each parameter of an operation's path. */
  find(operation: Operation): Promise<Record<string, string>>;
}

/** Where keys come from. */
export interface KeySources {
  readonly service: Service;
  readonly requests: Requests;
  /** An entity of the store; `undefined` where the resource has none. */
  readonly firstEntity: (resource: Resource) => Entity | undefined;
}

/** Keys of entities come from the list of their resource, else from the store; anything else is generated. */
export function createKeys({ service, firstEntity, requests }: KeySources, ask: Ask): Keys {
  const { model, table } = service;
  const resources = [...model.resources.values()];
  const byItemPath = new Map(resources.map((resource) => [toShape(itemPathOf(resource)), resource]));
  const known = new Map<string, string | undefined>();

  const listKey = async (resource: Resource, values: Readonly<Record<string, string>>) => {
    const list = findAction(service, resource, 'list');
    const request = list && requests.build(list, alignKeys(list, Object.values(values)));
    if (request === undefined || typeof request === 'string') return undefined;
    const answer = await ask(request);
    return answer.status === 200 ? findEntity(readJson(answer), resource.key?.property ?? '') : undefined;
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
          byItemPath.get(toShape(before + whole)) ??
          resources.find(({ itemPath, key }) => key?.parameter === name && isPlain(itemPath));
        const path = fill(before, values) + (resource?.itemPath ?? '');
        const key = resource && (await keyOf(resource, values, path));
        const value = key ?? requests.pathValue(operation, name);
        if (value !== undefined) values[name] = value;
      }
      return values;
    },
  };

  function isPlain(itemPath: string | undefined): boolean {
    return (
      itemPath !== undefined &&
      !itemPath.slice(0, -1).includes('}') &&
      table.find(`GET ${itemPath}`) !== undefined
    );
  }
}

/** The operation that does one thing to a resource, on the resource's own paths where there are others too. Other lists may leave some out. */
export function findAction(
  { model, table }: Service,
  resource: Resource,
  name: ActionName,
): Operation | undefined {
  const found = table.operations.filter(({ id }) => {
    const action = model.actions.get(id);
    return action?.name === name && action.resource === resource;
  });
  const own = [resource.itemPath, resource.collectionPath];
  const other = name === 'list' ? undefined : found[0];
  return found.find(({ path }) => own.includes(path)) ?? other;
}

/** Raw values of path parameters, given by place, by the names that an operation has for them. */
export function alignKeys(operation: Operation, raw: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    templateNames(operation.path).flatMap((name, index) =>
      raw[index] === undefined ? [] : [[name, raw[index]]],
    ),
  );
}

/** A path template without the names of its parameters. */
function toShape(path: string): string {
  return path.replace(/\{[^{}]+\}/g, '{}');
}

function fill(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{([^{}]+)\}/g, (_, name: string) => values[name] ?? '');
}

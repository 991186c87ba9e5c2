import { keyOf } from '../../model/resources/resources.ts';
import type { Entity } from '../store/store.ts';
import type { ActionContext } from './context.ts';

/** Builds the path of an entity below the base path of the request; `undefined` if the document has no path for it. */
function toLocation({ spec, input, request, base }: ActionContext, entity: Entity): string | undefined {
  const { resource, itemPath, parents } = spec;
  if (!resource.key) return request.path.slice(base.length);
  if (!itemPath) return undefined;
  const key = keyOf(resource, entity);
  const toValue = (place: number) => {
    // Another path may give the same parents other names.
    const { parameter } = parents[place] ?? {};
    const { property } = resource.parents[place] ?? {};
    const value = parameter === undefined ? entity[property ?? ''] : input.path[parameter];
    return value === undefined || value === null ? undefined : String(value);
  };
  const last = itemPath.length - 2;
  let path = itemPath[0] ?? '';
  // Texts and parameters take turns.
  for (let index = 1; index <= last; index += 2) {
    const value = index === last ? key : toValue((index - 1) / 2);
    if (value === undefined) return undefined;
    path += encodeURIComponent(value) + itemPath[index + 1];
  }
  return path;
}

/** Builds the path of an entity as the client has to ask for it. */
export function toPublicPath(context: ActionContext, entity: Entity): string | undefined {
  const path = toLocation(context, entity);
  return path === undefined ? undefined : context.address.prefix + context.base + path;
}

/** Builds the absolute URL of an entity. */
export function toUrl(context: ActionContext, entity: Entity): string | undefined {
  const path = toPublicPath(context, entity);
  return path === undefined ? undefined : context.address.origin + path;
}

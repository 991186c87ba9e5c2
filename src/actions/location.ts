import { keyOf } from '../resources/resources.ts';
import type { Entity } from '../store/store.ts';
import type { ActionContext } from './context.ts';

/** Builds the path of an entity below the base path of the request; `undefined` if the document has no path for it. */
function toLocation({ spec, input, request, base }: ActionContext, entity: Entity): string | undefined {
  const { resource, itemPath, parents } = spec;
  if (!resource.key) return request.path.slice(base.length);
  const key = keyOf(resource, entity);
  const toValue = (place: number) => {
    // Another path may give the same parents other names.
    const { parameter } = parents[place] ?? {};
    const { property } = resource.parents[place] ?? {};
    const value = parameter === undefined ? entity[property ?? ''] : input.path[parameter];
    return value === undefined || value === null ? undefined : String(value);
  };
  let path = '';
  for (const [index, part] of (itemPath ?? []).entries()) {
    const isText = index % 2 === 0;
    const isLast = index === (itemPath?.length ?? 0) - 2;
    const text = isText ? part : isLast ? key : toValue((index - 1) / 2);
    if (text === undefined) return undefined;
    path += isText ? text : encodeURIComponent(text);
  }
  return itemPath && path;
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

import { Problem } from '../../base/problem.ts';
import { findEmbeds, keyOf, type PartsEffect } from '../../model/resources/resources.ts';
import type { Entity } from '../store/store.ts';
import type { ActionContext } from './context.ts';
import { withEmbedded } from './embed.ts';
import { isJsonObject, memberOf, pick } from './json-object.ts';
import { mergeValid } from './view.ts';

/**
 * Adds, changes or removes an item of a list in an entity, or empties the list. Throws a 404 Problem for an item that is not in it.
 */
export function changeParts(context: ActionContext, owner: Entity, parts: PartsEffect): readonly unknown[] {
  const { operation, input } = context;
  const current = memberOf(owner, parts.property);
  const list: readonly unknown[] = Array.isArray(current) ? current : [];
  const { body } = input;
  if (parts.parameter === undefined) {
    if (operation.method === 'DELETE') return [];
    if (Array.isArray(body)) return body.map((each) => toPart(context, parts, owner, list, each));
    return [...list, toPart(context, parts, owner, list, body)];
  }
  const name = String(input.path[parts.parameter]);
  const at = list.findIndex((part) => isNamed(part, parts, name));
  if (at < 0) throw partNotFound(context, parts, name);
  if (operation.method === 'DELETE') return list.toSpliced(at, 1);
  return list.with(at, withMembers(context, parts, list[at], body));
}

/** Whether a path names an item, by its key or by the entity that it shows: `{productId}` names `product`. */
function isNamed(part: unknown, { key, parameter = '' }: PartsEffect, name: string): boolean {
  const own = key && memberOf(part, key.property);
  const shown = memberOf(memberOf(part, parameter.replace(/_?id$/i, '')), 'id');
  return [own, memberOf(part, parameter), shown].some(
    (value) => value !== undefined && String(value) === name,
  );
}

/** Makes a new item: the members that the client sent, the entities they refer to, a key, and generated values for the rest. */
function toPart(
  context: ActionContext,
  parts: PartsEffect,
  owner: Entity,
  list: readonly unknown[],
  body: unknown,
): unknown {
  const { generate, store, spec } = context;
  const { schema, key, property } = parts;
  const { resource } = spec;
  const serial = store.collection(resource.name).serial();
  const made = generate(schema, `${resource.name} ${keyOf(resource, owner)} ${property} ${serial}`);
  const needed = new Set([...schema.required, ...(key ? [key.property] : [])]);
  const base = Object.entries(isJsonObject(made) ? made : {}).filter(([name]) => needed.has(name));
  const numbers = list
    .map((part) => Number(key && memberOf(part, key.property)))
    .filter(Number.isSafeInteger);
  const keyed = key?.type === 'integer' ? [[key.property, Math.max(0, ...numbers) + 1] as const] : [];
  return withMembers(context, parts, Object.fromEntries([...base, ...keyed]), body);
}

/** Sets the members of a body that the schema of the item allows, and the entities that they refer to. */
function withMembers(
  { schemas, store, model }: ActionContext,
  { schema }: PartsEffect,
  part: unknown,
  body: unknown,
): unknown {
  const isValid = (value: unknown) => schemas.check(schema, value, '').length === 0;
  const given = isJsonObject(body) ? body : {};
  const embedded = withEmbedded(findEmbeds(model, { schema }), store, given, given);
  const declared = schema.allProperties;
  return mergeValid(part, declared.size === 0 ? embedded : pick(embedded, declared), isValid);
}

function partNotFound({ spec }: ActionContext, { singular, key }: PartsEffect, name: string): Problem {
  const message = `No ${singular} of the ${spec.resource.singular} has the ${key?.property ?? 'key'} ${name}.`;
  return new Problem(404, `${singular}_not_found`, message);
}

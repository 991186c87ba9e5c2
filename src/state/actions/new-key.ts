import { isInt64, readInteger } from '../../base/number.ts';
import { Problem, violationProblem } from '../../base/problem.ts';
import type { Key, Resource } from '../../model/resources/resources.ts';
import { generateTextKey, toKeyCheck } from '../../model/resources/resources.ts';
import { toSlugKey } from '../seeding/seeding.ts';
import type { Entity } from '../store/store.ts';
import { type ActionContext, collectionOf, invalidBody } from './context.ts';

/** The key of a new entity: the client's, where the document lets it choose, else the next free one. */
export function toNewKey(context: ActionContext, body: Entity): unknown {
  const { spec } = context;
  const { key } = spec.resource;
  const given = key && spec.acceptsKey ? body[key.property] : undefined;
  if (key && !fitsPath(context, given))
    throw invalidBody(`body.${key.property}`, 'must be an integer within int64', 'format');
  if (!key || !isChosen(context, given))
    return key?.type === 'string' ? (slugKeyOf(context, body) ?? nextTextKey(context)) : nextNumber(context);
  // Without a declared 409, a second POST of the same entity replaces it.
  if (!spec.declaresConflict || !collectionOf(context).get(String(given))) return given;
  throw keyTaken(context, given);
}

/** The 409 Problem for a key that another entity has. */
export function keyTaken({ spec }: ActionContext, key: unknown): Problem {
  const { singular, key: { property } = {} } = spec.resource;
  const remedy =
    spec.name === 'create' ? `Choose another ${property}, or leave it out.` : `Choose another ${property}.`;
  const message = `There is a ${singular} with the ${property} ${key} already. ${remedy}`;
  return new Problem(409, `${singular}_exists`, message);
}

/** Whether a path parameter has room for a key: an integer in a path lies within int64. */
function fitsPath({ spec }: ActionContext, key: unknown): boolean {
  if (typeof key !== 'number' && typeof key !== 'bigint') return true;
  return isInt64(key) || !spec.parameterSchema?.types.includes('integer');
}

/** Whether a client chose the key: generated clients send 0 or an empty string for none. A key that no path can name is ignored. */
function isChosen({ spec, schemas }: ActionContext, given: unknown): boolean {
  if (given === undefined || given === null || given === 0 || given === '') return false;
  const { parameterSchema, resource } = spec;
  if (resource.key?.type === 'string') return toKeyCheck(schemas, undefined, parameterSchema)(String(given));
  return !parameterSchema || schemas.check(parameterSchema, given, '').length === 0;
}

/** The next number, or the lowest free one where a path cannot name the next. */
function nextNumber(context: ActionContext): number {
  const { least, most } = context.spec.keyBounds;
  const collection = collectionOf(context);
  const next = collection.nextKey();
  if (next <= most) return next;
  for (let key = least; key <= most; key++) if (!collection.get(String(key))) return key;
  throw noKeyLeft(context);
}

/** The key of an entity that is named by a slug; `undefined` for any other. */
function slugKeyOf(context: ActionContext, entity: Entity): string | undefined {
  const { spec, schemas } = context;
  const { key } = spec.resource;
  const collection = collectionOf(context);
  return (
    key &&
    toSlugKey({
      ...{ property: key.property, entity, serial: () => collection.serial() },
      isValid: toKeyCheck(schemas, key.schema, spec.parameterSchema),
      isFree: (slug) => !collection.knows(slug),
    })
  );
}

const KEY_ATTEMPTS = 20;

function nextTextKey(context: ActionContext): string {
  const { spec, schemas, seed } = context;
  const { key, name } = spec.resource;
  const collection = collectionOf(context);
  for (let attempt = 0; attempt < KEY_ATTEMPTS; attempt++) {
    const number = collection.serial();
    const made = generateTextKey({
      schema: key?.schema,
      named: spec.parameterSchema,
      number,
      // The word keeps these apart from the keys of the first entities.
      seed: `${seed} ${name} new ${number}`,
      isValid: toKeyCheck(schemas, key?.schema, spec.parameterSchema),
      isFree: (value) => !collection.knows(value),
    });
    if (made !== undefined) return made;
  }
  throw noKeyLeft(context);
}

function noKeyLeft({ spec }: ActionContext): Problem {
  const { key, singular } = spec.resource;
  const message = `No ${key?.property} is left for another ${singular}. Delete one first.`;
  return new Problem(409, `${singular}_exists`, message);
}

/** The key in a path, with its type. Throws a 400 Problem for one that no entity could have. */
export function toTypedKey({ type, parameter }: Key, name: string): unknown {
  if (type !== 'integer') return name;
  const number = readInteger(name);
  // -0 would be stored as 0.
  if (number !== undefined && String(number) === name) return number;
  throw violationProblem(400, 'invalid_parameter', [
    { location: `path.${parameter}`, message: 'must be an integer', code: 'type' },
  ]);
}

/** Throws a 422 Problem for a key that no path can hold: `.` and `..` name other paths, and lone surrogates cannot be encoded. */
export function checkNameable({ itemPath, key }: Resource, entity: Entity): void {
  const value = key && itemPath !== undefined ? entity[key.property] : undefined;
  if (typeof value !== 'string' || (value !== '.' && value !== '..' && !/\p{Surrogate}/u.test(value))) return;
  throw invalidBody(
    `body.${key?.property}`,
    'must be valid Unicode, and neither "." nor ".."',
    'key-invalid',
  );
}

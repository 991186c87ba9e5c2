import { isInt64, readInteger } from '../number.ts';
import { Problem, violationProblem } from '../problem.ts';
import type { Key, Resource } from '../resources/resources.ts';
import { generateTextKey, toKeyCheck } from '../resources/resources.ts';
import { resolveReference, type Schema, schemaTypes } from '../schema/schema.ts';
import type { Entity } from '../store/store.ts';
import { type ActionContext, collectionOf } from './context.ts';

/** The key of a new entity: the client's, where the document lets it choose, else the next free one. */
export function toNewKey(context: ActionContext, body: Entity): unknown {
  const { plan } = context;
  const { key } = plan.resource;
  const given = key && plan.takesKey ? body[key.property] : undefined;
  if (key && !isWithinPath(context, given)) throw beyondInt64(`body.${key.property}`);
  if (!key || !isChosen(context, given))
    return key?.type === 'string' ? toTextKey(context) : toNumber(context);
  if (!collectionOf(context).get(String(given))) return given;
  throw keyTaken(context, given);
}

/** The 409 Problem for a key that another entity has. */
export function keyTaken({ plan }: ActionContext, key: unknown): Problem {
  const { singular, key: { property } = {} } = plan.resource;
  const remedy =
    plan.name === 'create' ? `Choose another ${property}, or leave it out.` : `Choose another ${property}.`;
  const message = `There is a ${singular} with the ${property} ${key} already. ${remedy}`;
  return new Problem(409, `${singular}_exists`, message);
}

/** Whether a path parameter can hold a key, as far as its size goes: an integer in a path lies within int64. */
function isWithinPath({ root, plan }: ActionContext, key: unknown): boolean {
  if (typeof key !== 'number' && typeof key !== 'bigint') return true;
  return isInt64(key) || !schemaTypes(root, plan.parameterSchema).includes('integer');
}

function beyondInt64(location: string): Problem {
  return violationProblem(422, 'validation_failed', [
    { location, message: 'must be an integer within int64' },
  ]);
}

/** 0 and the empty text are what generated clients send for want of a key, and one that no path can name is none. */
function isChosen({ plan, schemas }: ActionContext, given: unknown): boolean {
  if (given === undefined || given === null || given === 0 || given === '') return false;
  const { parameterSchema, resource } = plan;
  if (resource.key?.type === 'string') return toKeyCheck(schemas, {}, parameterSchema)(String(given));
  return !parameterSchema || schemas.check(parameterSchema, given, '').length === 0;
}

/** The next number; where that is more than a path may name, the lowest one that is free. */
function toNumber(context: ActionContext): number {
  const { least, most } = context.plan.keyBounds;
  const collection = collectionOf(context);
  const next = collection.nextKey();
  if (next <= most) return next;
  for (let key = least; key <= most; key++) if (!collection.get(String(key))) return key;
  throw noKeyLeft(context);
}

const KEY_ATTEMPTS = 20;

function toTextKey(context: ActionContext): string {
  const { root, plan, schemas, seed } = context;
  const { key, name } = plan.resource;
  const collection = collectionOf(context);
  const schema = resolveReference(root, key?.schema) as Schema;
  for (let attempt = 0; attempt < KEY_ATTEMPTS; attempt++) {
    const number = collection.serial();
    const made = generateTextKey({
      schema,
      named: plan.parameterSchema,
      number,
      // The first entities have theirs from seeds without the word.
      seed: `${seed} ${name} new ${number}`,
      isValid: toKeyCheck(schemas, schema, plan.parameterSchema),
      isFree: (value) => !collection.knows(value),
    });
    if (made !== undefined) return made;
  }
  throw noKeyLeft(context);
}

function noKeyLeft({ plan }: ActionContext): Problem {
  const { key, singular } = plan.resource;
  const message = `No ${key?.property} is left for another ${singular}. Delete one first.`;
  return new Problem(409, `${singular}_exists`, message);
}

/** Reads the key that a path names. Throws a 400 Problem for one that no entity could have. */
export function toTypedKey({ type, parameter }: Key, name: string): unknown {
  if (type !== 'integer') return name;
  const number = readInteger(name);
  // -0 would be stored as 0.
  if (number !== undefined && String(number) === name) return number;
  throw violationProblem(400, 'invalid_parameter', [
    { location: `path.${parameter}`, message: 'must be an integer' },
  ]);
}

/** Throws a 422 Problem for a key that no path can hold: one that means another path, or is no Unicode. */
export function checkNameable({ itemPath, key }: Resource, entity: Entity): void {
  const value = key && itemPath !== undefined ? entity[key.property] : undefined;
  if (typeof value !== 'string' || (value !== '.' && value !== '..' && !/\p{Surrogate}/u.test(value))) return;
  throw violationProblem(422, 'validation_failed', [
    { location: `body.${key?.property}`, message: 'must be a text that can stand in a path' },
  ]);
}

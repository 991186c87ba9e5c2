import { isObject, isReference } from './reference.ts';

/** The most schemas to look at. Those of real answers need fewer. */
const MOST_STEPS = 300;
/** Texts and lists that must be longer are left to an exact measure. */
const LONG_TEXT = 1000;
const LONG_LIST = 5;

/** A look at one schema. */
interface Look {
  left: number;
  readonly resolve: (part: unknown) => unknown;
}

/**
 * Whether a quick look at the required parts of a schema, with the first of all alternatives, finds a small value. Returns false if it
 * takes more than that. Measuring each schema of a large document would take a tenth of its start.
 */
export function isSmallSchema(schema: unknown, resolve: Look['resolve']): boolean {
  return isSmall(schema, { left: MOST_STEPS, resolve });
}

function isSmall(part: unknown, look: Look): boolean {
  look.left -= 1;
  if (look.left < 0) return false;
  const schema = isReference(part) ? look.resolve(part) : part;
  if (!isObject(schema)) return true;
  const { minLength, minItems, minProperties, items, prefixItems, allOf } = schema;
  if (Number(minLength ?? 0) > LONG_TEXT || Number(minProperties ?? 0) > 0) return false;
  const least = Number(minItems ?? 0);
  if (least > LONG_LIST) return false;
  for (let index = 0; index < least; index++) if (!areSmall([items, prefixItems].flat(), look)) return false;
  return (
    (!Array.isArray(allOf) || areSmall(allOf, look)) &&
    hasSmallMembers(schema, look) &&
    hasSmallChoice(schema.oneOf, look) &&
    hasSmallChoice(schema.anyOf, look)
  );
}

function areSmall(parts: readonly unknown[], look: Look): boolean {
  for (const part of parts) if (!isSmall(part, look)) return false;
  return true;
}

function hasSmallMembers({ required, properties }: Record<string, unknown>, look: Look): boolean {
  if (!Array.isArray(required)) return true;
  for (const name of required)
    if (isObject(properties) && !isSmall(properties[String(name)], look)) return false;
  return true;
}

function hasSmallChoice(list: unknown, look: Look): boolean {
  return !Array.isArray(list) || isSmall(list[0], look);
}

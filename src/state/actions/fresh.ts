import { toDate } from '../../base/clock.ts';
import { toSnake } from '../../model/resources/resources.ts';
import { isNumeric, type SchemaNode } from '../../schema/schema.ts';
import { CREATED, isLaterEvent, PUBLISHED, UPDATED } from '../seeding/seeding.ts';

const COUNT =
  /(^|_)(counts?|likes|views|followers|following|favou?rites|comments|replies|clicks|shares|downloads|visits|reviews)(_count)?$|^(num|number_of|total)_/;

/** Whether a property holds the time when its entity was created or last changed. */
export function isTimestamp(name: string): boolean {
  const snake = toSnake(name);
  return CREATED.test(snake) || UPDATED.test(snake);
}

/** Whether a snake_case name is that of a creation or publication, so that a new entity gets the current time there. */
export function isCreationTime(name: string): boolean {
  return CREATED.test(name) || PUBLISHED.test(name);
}

/** Whether a property holds the time when its entity was last changed. */
export function isUpdateTime(name: string): boolean {
  return UPDATED.test(toSnake(name));
}

/**
 * The value of a property of a new entity: now, no count, an empty list, the first state. `now` is in milliseconds since the epoch.
 * `undefined` where the property may have any value.
 */
export function toFreshValue(name: string, schema: SchemaNode, now: number): unknown {
  const { types, keywords } = schema;
  if (keywords.default !== undefined) return keywords.default;
  const [first] = Array.isArray(keywords.enum) ? keywords.enum : [];
  if (first !== undefined) return first;
  const snake = toSnake(name);
  if (isLaterEvent(snake) && schema.isNullable) return null;
  if (isTimestamp(name) || isLaterEvent(snake)) return toTimestamp(schema, now);
  if (types.includes('boolean')) return false;
  if (types.includes('array')) return [];
  return isNumeric(schema) && COUNT.test(snake) ? 0 : undefined;
}

/** A time in the form that a schema asks for; `undefined` where it asks for another type. */
export function toTimestamp({ types, keywords: { format } }: SchemaNode, now: number): string | undefined {
  if (!types.includes('string')) return undefined;
  const text = toDate(now).toISOString();
  return format === 'date' ? text.slice(0, 10) : text;
}

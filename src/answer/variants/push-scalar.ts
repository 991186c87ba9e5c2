import type { Schema } from '../../schema/schema.ts';
import { toLargestNumber } from './largest-number.ts';
import { LONGEST_TEXT, toLongText, toUnicodeText } from './texts.ts';
import type { Variant } from './variant.ts';

/** Pushes a text or a number as far as the keywords of its schemas allow. `room` is the length that a text may gain. */
export function pushScalar(
  value: unknown,
  definitions: readonly Schema[],
  variant: Variant,
  room: number,
): unknown {
  if (definitions.length === 0 || definitions.some(isFixed)) return value;
  if (typeof value === 'string' && !LIKE_DATE.test(value)) return pushText(value, definitions, variant, room);
  return typeof value === 'number' && variant === 'long' ? toLargestNumber(value, definitions) : value;
}

function isFixed(definition: Schema): boolean {
  return definition.enum !== undefined || definition.const !== undefined;
}

const LIKE_DATE = /^\d{4}-\d\d-\d\d/;

/** A link that goes nowhere would break more than the layout. */
const LIKE_LINK = /^(https?:|data:)/;

/** Less room than this is not worth a change. */
const LEAST_ROOM = 16;

function pushText(value: string, definitions: readonly Schema[], variant: Variant, room: number): string {
  // An unnamed type may be any, and a text is only pushed where the schema wants one.
  const isText = definitions.some(({ type }) => [type].flat().includes('string'));
  const isFree = definitions.every(({ format, pattern }) => format === undefined && pattern === undefined);
  if (!isText || !isFree) return value;
  if (variant === 'empty')
    return definitions.some(({ minLength }) => Number(minLength ?? 0) > 0) ? value : '';
  if (LIKE_LINK.test(value)) return value;
  const most = Math.min(...definitions.map(({ maxLength }) => Number(maxLength ?? Number.POSITIVE_INFINITY)));
  if (room < LEAST_ROOM) return value;
  if (variant === 'long') return toLongText(value, Math.min(most, room, LONGEST_TEXT));
  return variant === 'unicode' ? toUnicodeText(value, Math.min(most, value.length + room)) : value;
}

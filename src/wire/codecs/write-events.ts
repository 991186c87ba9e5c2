import { isObject } from '../../schema/schema.ts';
import { LongList, withoutLongLists } from './long-list.ts';
import { type Pieces, toPieces } from './pieces.ts';
import { toJson } from './write-json.ts';

/**
 * Writes a stream of server-sent events: one for each item of a list, else a single one. An object with `data` is an event itself, and
 * a text may be the stream.
 */
export function toEvents(value: unknown): string {
  if (typeof value === 'string' && /^(data|event|id|retry)?:/.test(value)) return value;
  const items = Array.isArray(value) ? value : [value];
  return items.map(toEvent).join('');
}

/** Writes the same in pieces. */
export function* toEventPieces(value: unknown): Pieces {
  if (value instanceof LongList) yield* toPieces(value.values(), toEvent);
  else yield toEvents(withoutLongLists(value));
}

function toEvent(item: unknown): string {
  return `${toFields(item).join('\n')}\n\n`;
}

/** Writes a JSON text in a line for each item of a list. A text is the lines themselves. */
export function toJsonLines(value: unknown): string {
  if (typeof value === 'string') return value;
  const items = Array.isArray(value) ? value : [value];
  return items.map(toLine).join('');
}

/** Writes the same in pieces. */
export function* toJsonLinePieces(value: unknown): Pieces {
  if (value instanceof LongList) yield* toPieces(value.values(), toLine);
  else yield toJsonLines(withoutLongLists(value));
}

function toLine(item: unknown): string {
  return `${toJson(item)}\n`;
}

/** The fields of an event that a schema may describe, apart from its data. */
const FIELDS = ['event', 'id', 'retry'];

function toFields(item: unknown): string[] {
  if (!isEvent(item)) return toData(item);
  const fields = FIELDS.filter((name) => item[name] !== undefined && item[name] !== null);
  return [
    // A line break would end the field.
    ...fields.map((name) => `${name}: ${String(item[name]).replace(/[\r\n\0]+/g, ' ')}`),
    ...toData(item.data),
  ];
}

function isEvent(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value) || !Object.hasOwn(value, 'data')) return false;
  return Object.keys(value).every((name) => name === 'data' || FIELDS.includes(name));
}

/** A line for each line of the data. */
function toData(data: unknown): string[] {
  const text = typeof data === 'string' ? data : toJson(data);
  return text.split(/\r\n|\r|\n/).map((line) => `data: ${line}`);
}

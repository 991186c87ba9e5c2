import { type SchemaNode, toShape } from '../schema/schema.ts';
import { isJson, isXml, toActualType, toMediaType } from './media-type.ts';
import { toCsv } from './write-csv.ts';
import { toEvents, toJsonLines } from './write-events.ts';
import { toJson } from './write-json.ts';
import { toXml } from './write-xml.ts';

/** Writes values in one media type. */
export interface Format {
  readonly mediaType: string;
  write(value: unknown): string;
}

/** A declared content: its media type and its schema, if it has one. */
interface Content {
  readonly mediaType: string;
  readonly schema: SchemaNode | undefined;
}

/** The format of a declared content; `undefined` if it is neither JSON nor XML. */
export function toFormat({ mediaType: declared, schema }: Content): Format | undefined {
  const mediaType = toActualType(declared);
  const type = toMediaType(mediaType) ?? '';
  if (isJson(type)) return { mediaType, write: toJson };
  if (isXml(type)) return { mediaType, write: (value) => toXml(value, toShape(schema)) };
  return undefined;
}

/** The format of plain text that holds objects or lists, which can only mean JSON; `undefined` for any other content. */
export function toTextFormat({ mediaType, schema }: Content): Format | undefined {
  const types = toShape(schema).types;
  const isStructured = types.includes('object') || types.includes('array');
  return isStructured && toMediaType(mediaType) === 'text/plain' ? { mediaType, write: toJson } : undefined;
}

/**
 * The format of a content that lists values otherwise: a table, or an event or a line for each. `undefined` for any other content.
 */
export function toListFormat({ mediaType, schema }: Content): Format | undefined {
  const write = LIST_WRITERS[toMediaType(mediaType) ?? ''];
  return write && { mediaType, write: (value) => write(value, schema) };
}

const LIST_WRITERS: Readonly<Record<string, (value: unknown, schema: SchemaNode | undefined) => string>> = {
  'text/csv': toCsv,
  'text/event-stream': toEvents,
  'application/jsonl': toJsonLines,
  'application/x-ndjson': toJsonLines,
};

/** Writes an example in a format, if it has one. An example for XML may be the text itself. */
export function writeExample(value: unknown, format: Format | undefined): string {
  const asIs =
    typeof value === 'string' &&
    (!format || (isXml(toMediaType(format.mediaType) ?? '') && value.trimStart().startsWith('<')));
  return asIs ? value : (format?.write(value) ?? JSON.stringify(value));
}

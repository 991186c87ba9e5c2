import { type SchemaNode, toShape } from '../../schema/schema.ts';
import { isJson, isXml, toActualType, toMediaType } from './media-type.ts';
import type { Pieces } from './pieces.ts';
import { toCsv, toCsvPieces } from './write-csv.ts';
import { toEventPieces, toEvents, toJsonLinePieces, toJsonLines } from './write-events.ts';
import { toJson, toJsonPieces } from './write-json.ts';
import { toXml, toXmlPieces } from './write-xml.ts';

/** Writes values in one media type. */
export interface Format {
  readonly mediaType: string;
  write(value: unknown): string;
  /** Writes the same in pieces, a value with long lists too. */
  writePieces(value: unknown): Pieces;
}

/** JSON in any of its media types. */
export function toJsonFormat(mediaType: string): Format {
  return { mediaType, write: toJson, writePieces: toJsonPieces };
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
  if (isJson(type)) return toJsonFormat(mediaType);
  if (isXml(type))
    return {
      mediaType,
      write: (value) => toXml(value, toShape(schema)),
      writePieces: (value) => toXmlPieces(value, toShape(schema)),
    };
  return undefined;
}

/** The format of plain text that holds objects or lists, which can only mean JSON; `undefined` for any other content. */
export function toTextFormat({ mediaType, schema }: Content): Format | undefined {
  const types = toShape(schema).types;
  const isStructured = types.includes('object') || types.includes('array');
  return isStructured && toMediaType(mediaType) === 'text/plain' ? toJsonFormat(mediaType) : undefined;
}

/**
 * The format of a content that lists values otherwise: a table, or an event or a line for each. `undefined` for any other content.
 */
export function toListFormat({ mediaType, schema }: Content): Format | undefined {
  const writers = LIST_WRITERS[toMediaType(mediaType) ?? ''];
  if (!writers) return undefined;
  const [write, writePieces] = writers;
  return {
    mediaType,
    write: (value) => write(value, schema),
    writePieces: (value) => writePieces(value, schema),
  };
}

type Write<T> = (value: unknown, schema: SchemaNode | undefined) => T;

const JSON_LINES = [toJsonLines, toJsonLinePieces] as const;

const LIST_WRITERS: Readonly<Record<string, readonly [Write<string>, Write<Pieces>]>> = {
  'text/csv': [toCsv, toCsvPieces],
  'text/event-stream': [toEvents, toEventPieces],
  'application/jsonl': JSON_LINES,
  'application/x-ndjson': JSON_LINES,
};

/** Writes an example in a format, if it has one. An example for XML may be the text itself. */
export function writeExample(value: unknown, format: Format | undefined): string {
  const asIs =
    typeof value === 'string' &&
    (!format || (isXml(toMediaType(format.mediaType) ?? '') && value.trimStart().startsWith('<')));
  return asIs ? value : (format?.write(value) ?? JSON.stringify(value));
}

import { isObject, type SchemaNode } from '../../schema/schema.ts';
import { LongList } from './long-list.ts';
import { type Pieces, toPieces } from './pieces.ts';
import { toJson } from './write-json.ts';

/**
 * Writes a table (RFC 4180) with a header: a row for each item of a list, or of the list in an envelope. The columns are the properties
 * that the schema names, then others that the rows have. A text is the table itself.
 */
export function toCsv(value: unknown, schema: SchemaNode | undefined): string {
  if (typeof value === 'string') return value;
  const name = findListName(value);
  const rows = toRows(name === undefined ? value : (value as Members)[name]);
  const items = toItems(name === undefined ? schema : schema?.at([name]));
  const columns = new Set([...namesOf(items), ...rows.flatMap(columnsOf)]);
  return columns.size === 0 ? '' : toHeader(columns) + rows.map((row) => toLine(row, columns)).join('');
}

/** Writes the same in pieces. It reads the rows twice, because the last one may have a column that no other has. */
export function* toCsvPieces(value: unknown, schema: SchemaNode | undefined): Pieces {
  const name = findListName(value);
  const rows = name === undefined ? value : (value as Members)[name];
  if (!(rows instanceof LongList)) {
    yield toCsv(value, schema);
    return;
  }
  const columns = new Set(namesOf(toItems(name === undefined ? schema : schema?.at([name]))));
  for (const row of rows.values()) {
    for (const column of columnsOf(row)) columns.add(column);
    yield '';
  }
  if (columns.size === 0) return;
  yield toHeader(columns);
  yield* toPieces(rows.values(), (row) => toLine(row, columns));
}

function columnsOf(row: unknown): string[] {
  return isMembers(row) ? Object.keys(row) : [VALUE];
}

function toHeader(columns: ReadonlySet<string>): string {
  return `${[...columns].map(toCell).join(',')}\r\n`;
}

function toLine(row: unknown, columns: ReadonlySet<string>): string {
  const cells = [...columns].map((column) => toCell(isMembers(row) ? row[column] : row));
  return `${cells.join(',')}\r\n`;
}

type Members = Readonly<Record<string, unknown>>;

/** The column of values that are not objects. */
const VALUE = 'value';

function isMembers(value: unknown): value is Members {
  return isObject(value) && !Array.isArray(value);
}

/** The name of the first list in an envelope; `undefined` for any other value. */
function findListName(value: unknown): string | undefined {
  if (!isMembers(value)) return undefined;
  return Object.keys(value).find((name) => {
    const member = value[name];
    return member instanceof LongList || (Array.isArray(member) && member.every(isMembers));
  });
}

function toRows(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function toItems(schema: SchemaNode | undefined): SchemaNode | undefined {
  return schema?.types.includes('array') ? schema.items : schema;
}

/** The properties that an answer may show. */
function namesOf(schema: SchemaNode | undefined): string[] {
  const shown = [...(schema?.allProperties ?? [])].filter(([, node]) => !node.isMarked('writeOnly'));
  return shown.map(([name]) => name);
}

/** A field, in quotes where it needs them. */
function toCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : toJson(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

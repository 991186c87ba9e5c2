import type { Shape } from '../../schema/schema.ts';
import { addField, type Field, fieldOf, toFieldValue } from './field-tree.ts';
import { isFile, type Part, toPartText } from './multipart-part.ts';
import { readMultipart } from './read-multipart.ts';

/** An OpenAPI Encoding Object: the format of one property of a form. */
interface FormEncoding {
  readonly property: string;
  readonly style?: string;
  readonly explode?: boolean;
}

/** Reads forms into values of their schema. */
interface FormReader {
  /** Reads `application/x-www-form-urlencoded`. */
  readEncoded(text: string): unknown;
  /** Reads `multipart/form-data`, with its files or without. Throws a 400 Problem for a malformed body. */
  readMultipart(bytes: Uint8Array, contentType: string, withFiles: boolean): unknown;
}

/** Prepares the reader for the forms of a schema. */
export function createFormReader(shape: Shape, encodings: readonly FormEncoding[] = []): FormReader {
  const styles = new Map(encodings.map((encoding) => [encoding.property, toFieldStyle(encoding)]));
  const spread = findSpread(shape, styles);
  const read = (entries: Iterable<readonly [name: string, text: string]>): unknown => {
    const fields = new Map<string, Field>();
    for (const [name, text] of entries) {
      const around = spread.get(name);
      if (around === undefined) addEntry(fields, shape, name, text, styles.get(name));
      else addField(fieldOf(fields, around), `[${name}]`, text);
    }
    return Object.fromEntries(
      [...fields].map(([name, field]) => [name, toFieldValue(field, shape.member(name))]),
    );
  };
  return {
    readEncoded: (text) => read(new URLSearchParams(text)),
    readMultipart(bytes, contentType, withFiles) {
      const parts = readMultipart(bytes, contentType).filter((part) => withFiles || !isFile(part));
      return read(parts.map((part) => [part.name, toFieldText(part, shape.member(part.name))]));
    },
  };
}

/** The `encoding` of a list or an object. */
interface FieldStyle {
  /** Separates the items, or names and values, of one field; `undefined` if the field is repeated instead. */
  readonly separator: string | undefined;
  /** Whether each member of an object is a separate field. */
  readonly spread: boolean;
}

const FIELD_SEPARATORS: Readonly<Record<string, string>> = {
  form: ',',
  commaDelimited: ',',
  spaceDelimited: ' ',
  pipeDelimited: '|',
};

function toFieldStyle({ style = '', explode = style === 'form' }: FormEncoding): FieldStyle {
  return { separator: explode ? undefined : FIELD_SEPARATORS[style], spread: explode && style === 'form' };
}

/** Maps each field that is a member of an object to the property of that object. */
function findSpread(shape: Shape, styles: ReadonlyMap<string, FieldStyle>): ReadonlyMap<string, string> {
  const properties = shape.properties();
  const spread = new Map<string, string>();
  for (const [property, style] of styles) {
    const member = properties.get(property);
    if (!style.spread || !member?.types.includes('object')) continue;
    for (const name of member.properties().keys()) if (!properties.has(name)) spread.set(name, property);
  }
  return spread;
}

/** Brackets in a name lead to a member of a field, unless the schema has a property of that very name. */
function addEntry(
  fields: Map<string, Field>,
  shape: Shape,
  name: string,
  text: string,
  { separator }: Partial<FieldStyle> = {},
): void {
  const bracket = shape.properties().has(name) ? -1 : name.indexOf('[');
  const field = fieldOf(fields, bracket > 0 ? name.slice(0, bracket) : name);
  if (bracket > 0 && addField(field, name.slice(bracket), text)) return;
  if (separator === undefined) field.texts.push(text);
  else addDelimited(field, shape.member(name), text, separator);
}

/** Splits `a,b,c`, or for an object `name,value,name,value`. Leaves JSON whole. */
function addDelimited(field: Field, { types }: Shape, text: string, separator: string): void {
  const parts = text === '' ? [] : text.split(separator);
  if (!types.includes('object')) for (const part of parts) field.texts.push(part);
  else if (text.startsWith('{') || parts.length % 2 === 1) field.texts.push(text);
  else for (let at = 0; at < parts.length; at += 2) addField(field, `[${parts[at]}]`, parts[at + 1] ?? '');
}

/** The text of a part. A file is base64 if the schema has the format `byte`. */
function toFieldText(part: Part, shape: Shape): string {
  const { format } = shape.types.includes('array') ? shape.items() : shape;
  const isBase64 = format === 'byte' && isFile(part);
  return isBase64 ? Buffer.from(part.bytes).toString('base64') : toPartText(part);
}

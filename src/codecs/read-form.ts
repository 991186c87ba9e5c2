import { Problem } from '../problem.ts';
import type { Shape } from '../schema/schema.ts';
import { addField, createField, type Field, toFieldValue } from './field-tree.ts';

/** How one property of a form is written: an OpenAPI Encoding Object. */
export interface FormEncoding {
  readonly property: string;
  readonly style?: string;
  readonly explode?: boolean;
}

/** How a form is read into the value of its schema. */
export interface FormReader {
  /** Reads `application/x-www-form-urlencoded`. */
  readEncoded(text: string): unknown;
  /** Reads `multipart/form-data`. Throws a 400 Problem for what is none. */
  readMultipart(bytes: Uint8Array, contentType: string): Promise<unknown>;
}

/** Decides once how the forms of a schema are read. */
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
    async readMultipart(bytes, contentType) {
      const form = await parseMultipart(bytes, contentType);
      const entries = [...form].map(async ([name, part]): Promise<readonly [string, string]> => {
        return [name, typeof part === 'string' ? part : await readFile(part, shape.member(name))];
      });
      return read(await Promise.all(entries));
    },
  };
}

/** How a list or an object stands in a field that has an `encoding` of its own. */
interface FieldStyle {
  /** Between the items, or the names and values, that stand in one field; `undefined` where the field is repeated. */
  readonly separator: string | undefined;
  /** Whether the members of an object are fields of their own. */
  readonly spread: boolean;
}

const SEPARATORS: Readonly<Record<string, string>> = {
  form: ',',
  commaDelimited: ',',
  spaceDelimited: ' ',
  pipeDelimited: '|',
};

function toFieldStyle({ style = '', explode = style === 'form' }: FormEncoding): FieldStyle {
  return { separator: explode ? undefined : SEPARATORS[style], spread: explode && style === 'form' };
}

/** The fields that are members of an object, and the property that holds it. */
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

function fieldOf(fields: Map<string, Field>, name: string): Field {
  const field = fields.get(name) ?? createField();
  fields.set(name, field);
  return field;
}

/** A name with brackets is a place below a field, unless the schema itself calls a property so. */
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

/** `a,b,c`, or of an object `name,value,name,value`. What is written as JSON stays whole. */
function addDelimited(field: Field, { types }: Shape, text: string, separator: string): void {
  const parts = text === '' ? [] : text.split(separator);
  if (!types.includes('object')) for (const part of parts) field.texts.push(part);
  else if (text.startsWith('{') || parts.length % 2 === 1) field.texts.push(text);
  else for (let at = 0; at < parts.length; at += 2) addField(field, `[${parts[at]}]`, parts[at + 1] ?? '');
}

async function parseMultipart(bytes: Uint8Array, contentType: string): Promise<FormData> {
  try {
    return await new Response(Uint8Array.from(bytes), {
      headers: { 'Content-Type': contentType },
    }).formData();
  } catch (cause) {
    const message =
      'The body is no multipart/form-data. Check that the Content-Type names the boundary that the parts have.';
    throw new Problem(400, 'malformed_multipart', message, { cause });
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text of a file, or its bytes as text: base64 where the schema wants it, else a character for each byte. */
async function readFile(file: File, shape: Shape): Promise<string> {
  const bytes = Buffer.from(await file.arrayBuffer());
  const { format } = shape.types.includes('array') ? shape.items() : shape;
  if (format === 'byte') return bytes.toString('base64');
  try {
    return utf8.decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

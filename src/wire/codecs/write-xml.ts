import type { Shape } from '../../schema/schema.ts';
import { isObject } from '../../schema/schema.ts';
import { type LongList, replaceLongLists } from './long-list.ts';
import { type Pieces, toPieces } from './pieces.ts';

/** Writes a value as an XML document, by the `xml` objects of its schema. */
export function toXml(value: unknown, shape: Shape): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${writeElement(toRootName(shape), value, shape)}`;
}

/** Writes the same in pieces. */
export function* toXmlPieces(value: unknown, shape: Shape): Pieces {
  const places: Place[] = [];
  const marked = replaceLongLists(value, (list) => [new Mark(list, places)]);
  for (const [at, part] of toXml(marked, shape).split(MARK).entries()) {
    const place = places[at - 1];
    if (place) yield* toPieces(place.list.values(), place.write);
    yield part;
  }
}

/** Stands for a long list in a text. No XML has this character. */
const MARK = '\0';

/** The place of a long list in a text. */
interface Place {
  readonly list: LongList;
  readonly write: (item: unknown) => string;
}

/** Stands for the items of a long list in a value. */
class Mark {
  readonly #list: LongList;
  readonly #places: Place[];

  constructor(list: LongList, places: Place[]) {
    this.#list = list;
    this.#places = places;
  }

  /** Notes how the items are written where it stands. */
  write(write: Place['write']): string {
    this.#places.push({ list: this.#list, write });
    return MARK;
  }
}

/** The name of a property's element or attribute, with its prefix. */
export function toTagName(property: string, { xml }: Shape): string {
  return withPrefix(xml.name ?? property, xml.prefix);
}

/** The name of each item's element in a list. The list's own name is that of its wrapper, if it has one. */
export function toItemName(property: string, shape: Shape): string {
  const { xml } = shape.items();
  const own = shape.xml.wrapped ? shape.xml.name : undefined;
  return withPrefix(xml.name ?? own ?? property, xml.prefix);
}

function toRootName(shape: Shape): string {
  const { xml, name, types } = shape;
  if (xml.name !== undefined || name !== undefined) return toTagName(name ?? '', shape);
  if (!types.includes('array')) return withPrefix('root', xml.prefix);
  const items = shape.items();
  return withPrefix(`${items.xml.name ?? items.name ?? 'item'}s`, xml.prefix);
}

/** Replaces characters that XML names may not have by underscores. */
function withPrefix(name: string, prefix: string | undefined): string {
  const letters = String(name).replace(/[^\p{L}\p{N}._-]/gu, '_');
  const tag = /^[\p{L}_]/u.test(letters) ? letters : `_${letters}`;
  return prefix ? `${prefix}:${tag}` : tag;
}

const NIL = ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"';

function writeElement(tag: string, value: unknown, shape: Shape): string {
  const start = `<${tag}${writeNamespaces([shape])}`;
  if (value === null || value === undefined) return `${start}${NIL}/>`;
  if (Array.isArray(value)) return closeElement(start, tag, writeItems(toInnerName(shape), value, shape));
  return isObject(value)
    ? writeObject(tag, value, shape)
    : closeElement(start, tag, escapeText(String(value)));
}

function writeObject(tag: string, value: Record<string, unknown>, shape: Shape): string {
  const members = Object.entries(value).map(([name, member]) => ({ name, member, of: shape.member(name) }));
  const attributes = members.filter(({ member, of }) => of.xml.attribute && isAttribute(member));
  const namespaces = writeNamespaces([
    shape,
    ...attributes.map(({ of }) => of).filter(({ xml }) => xml.prefix),
  ]);
  const written = attributes.map(
    ({ name, member, of }) => ` ${toTagName(name, of)}="${escapeAttribute(String(member))}"`,
  );
  const children = members
    // An attribute cannot be null, so leave it out.
    .filter(({ of, member }) => !(of.xml.attribute && (isAttribute(member) || member === null)))
    .map(({ name, member, of }) => writeMember(name, member, of));
  return closeElement(`<${tag}${namespaces}${written.join('')}`, tag, children.join(''));
}

function isAttribute(value: unknown): boolean {
  return value !== null && typeof value !== 'object';
}

function writeMember(name: string, value: unknown, shape: Shape): string {
  if (!Array.isArray(value)) return writeElement(toTagName(name, shape), value, shape);
  const items = writeItems(toItemName(name, shape), value, shape);
  if (!shape.xml.wrapped) return items;
  const tag = toTagName(name, shape);
  return closeElement(`<${tag}${writeNamespaces([shape])}`, tag, items);
}

function writeItems(tag: string, values: readonly unknown[], shape: Shape): string {
  const items = shape.items();
  const write = (value: unknown) => writeElement(tag, value, items);
  const [first] = values;
  return first instanceof Mark ? first.write(write) : values.map(write).join('');
}

/** The name of each item in a list without a property: the component of the items. */
function toInnerName(shape: Shape): string {
  return toItemName(shape.items().name ?? 'item', { ...shape, xml: { ...shape.xml, wrapped: false } });
}

function closeElement(start: string, tag: string, content: string): string {
  return content === '' ? `${start}/>` : `${start}>${content}</${tag}>`;
}

/** Declares the namespaces of an element and its attributes, each once. */
function writeNamespaces(shapes: readonly Shape[]): string {
  const declarations = shapes.flatMap(({ xml: { namespace, prefix } }) =>
    namespace ? [` xmlns${prefix ? `:${prefix}` : ''}="${escapeAttribute(String(namespace))}"`] : [],
  );
  return [...new Set(declarations)].join('');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

/** Replaces most control characters, which XML cannot represent, by the replacement character. */
function escapeText(text: string): string {
  return text.replace(/[&<>"\r]/g, (char) => ESCAPES[char] ?? char).replace(UNWRITABLE, '\ufffd');
}

/** Escapes line breaks and tabs, which a parser would read as spaces in an attribute. */
function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

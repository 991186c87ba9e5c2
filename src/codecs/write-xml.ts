import type { Shape } from '../schema/schema.ts';
import { isObject } from '../schema/schema.ts';

/** A value as an XML document, by the `xml` objects of its schema. */
export function toXml(value: unknown, shape: Shape): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${writeElement(toRootName(shape), value, shape)}`;
}

/** The name of a property's element or attribute, with its prefix. */
export function toTagName(property: string, { xml }: Shape): string {
  return withPrefix(xml.name ?? property, xml.prefix);
}

/** The name of each item's element in the list that a property is. The name of the list itself is that of what wraps it. */
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

/** What XML takes for no name is written with underscores. */
function withPrefix(name: string, prefix: string | undefined): string {
  const letters = String(name).replace(/[^\p{L}\p{N}._-]/gu, '_');
  const tag = /^[\p{L}_]/u.test(letters) ? letters : `_${letters}`;
  return prefix ? `${prefix}:${tag}` : tag;
}

const NIL = ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"';

function writeElement(tag: string, value: unknown, shape: Shape): string {
  const start = `<${tag}${writeNamespaces([shape])}`;
  if (value === null || value === undefined) return `${start}${NIL}/>`;
  if (Array.isArray(value)) return close(start, tag, writeItems(toInnerName(shape), value, shape));
  return isObject(value) ? writeObject(tag, value, shape) : close(start, tag, escapeText(String(value)));
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
    // There is no attribute that is null.
    .filter(({ of, member }) => !(of.xml.attribute && (isAttribute(member) || member === null)))
    .map(({ name, member, of }) => writeMember(name, member, of));
  return close(`<${tag}${namespaces}${written.join('')}`, tag, children.join(''));
}

function isAttribute(value: unknown): boolean {
  return value !== null && typeof value !== 'object';
}

function writeMember(name: string, value: unknown, shape: Shape): string {
  if (!Array.isArray(value)) return writeElement(toTagName(name, shape), value, shape);
  const items = writeItems(toItemName(name, shape), value, shape);
  if (!shape.xml.wrapped) return items;
  const tag = toTagName(name, shape);
  return close(`<${tag}${writeNamespaces([shape])}`, tag, items);
}

function writeItems(tag: string, values: readonly unknown[], shape: Shape): string {
  const items = shape.items();
  return values.map((value) => writeElement(tag, value, items)).join('');
}

/** The items of a list that is no property are called after what they are. */
function toInnerName(shape: Shape): string {
  return toItemName(shape.items().name ?? 'item', { ...shape, xml: { ...shape.xml, wrapped: false } });
}

function close(start: string, tag: string, content: string): string {
  return content === '' ? `${start}/>` : `${start}>${content}</${tag}>`;
}

/** The namespaces that an element and its attributes need, each once. */
function writeNamespaces(shapes: readonly Shape[]): string {
  const declarations = shapes.flatMap(({ xml: { namespace, prefix } }) =>
    namespace ? [` xmlns${prefix ? `:${prefix}` : ''}="${escapeAttribute(String(namespace))}"`] : [],
  );
  return [...new Set(declarations)].join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

/** XML has no way to write most control characters; they become the replacement character. */
function escapeText(text: string): string {
  return text.replace(/[&<>"\r]/g, (char) => ENTITIES[char] ?? char).replace(UNWRITABLE, '\ufffd');
}

/** Line breaks and tabs in an attribute would be read as blanks. */
function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

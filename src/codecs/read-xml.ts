import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { Problem } from '../problem.ts';
import type { Shape } from '../schema/schema.ts';
import { toTextValue } from './field-tree.ts';
import { toItemName, toTagName } from './write-xml.ts';

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** The deepest nesting of elements. Far beyond any real value, well within the call stack. */
const DEEPEST_ELEMENT = 200;

/**
 * The value of an XML document, read by the `xml` objects of a shape. Throws a 400 Problem for a text that is not well-formed.
 * The entities of a document type are unknown, so none can expand.
 */
export function readXml(text: string, shape: Shape): unknown {
  return toValue(parseXml(text), shape);
}

function parseXml(text: string): Element {
  const parser = new SaxesParser();
  const document: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [document];
  const add = (part: string) => {
    (open.at(-1) ?? document).text += part;
  };
  parser.on('error', (cause) => {
    throw malformed(cause.message, cause);
  });
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    if (open.length > DEEPEST_ELEMENT) throw malformed(`it nests deeper than ${DEEPEST_ELEMENT} levels`);
    const element: Element = { name, attributes, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.on('text', add);
  parser.on('cdata', add);
  parser.write(text).close();
  const [root] = document.children;
  if (!root) throw malformed('it has no element');
  return root;
}

function malformed(what: string, cause?: unknown): Problem {
  return new Problem(400, 'malformed_xml', `The body is not well-formed XML: ${what}.`, { cause });
}

function toValue(element: Element, shape: Shape): unknown {
  if (isNil(element)) return null;
  const { types, scalars } = shape;
  if (types.includes('array') && scalars.length === 0) {
    return element.children.map((child) => toValue(child, shape.items()));
  }
  const named = shape.properties().size > 0 || types.includes('object');
  const nested = element.children.length > 0 || (types.length === 0 && hasAttributes(element));
  if (named || nested) return toObjectValue(element, shape);
  // Spaces around a number are layout; in a text they may be intended.
  return toTextValue(scalars.at(-1) === 'string' ? element.text : element.text.trim(), shape);
}

function isNil({ attributes }: Element): boolean {
  return Object.entries(attributes).some(([name, value]) => toLocal(name) === 'nil' && value === 'true');
}

function hasAttributes(element: Element): boolean {
  return Object.keys(element.attributes).some((name) => !isNamespace(name));
}

function isNamespace(name: string): boolean {
  return name === 'xmlns' || /^(xmlns|xsi|xml):/.test(name);
}

/**
 * Reads the members that the schema names by their XML names, then all others under their own. Compares names without prefixes,
 * because a client may choose different ones than the document.
 */
function toObjectValue(element: Element, shape: Shape): unknown {
  const attributes = new Map(
    Object.entries(element.attributes)
      .filter(([name]) => !isNamespace(name))
      .map(([name, text]) => [toLocal(name), text]),
  );
  const children = groupByName(element.children);
  const values = new Map<string, unknown>();
  for (const [name, member] of shape.properties()) {
    const value = member.xml.attribute
      ? readAttribute(attributes, toLocal(toTagName(name, member)), member)
      : readMember(children, name, member);
    if (value !== undefined) values.set(name, value);
  }
  for (const [name, text] of attributes) values.set(name, toTextValue(text, shape.member(name)));
  for (const [name, same] of children) {
    const each = same.map((child) => toValue(child, shape.member(name)));
    values.set(name, each.length === 1 ? each[0] : each);
  }
  return Object.fromEntries(values);
}

function groupByName(elements: readonly Element[]): Map<string, Element[]> {
  const groups = new Map<string, Element[]>();
  for (const element of elements) {
    const name = toLocal(element.name);
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(element);
  }
  return groups;
}

/** Reads an attribute, and removes it from the rest. */
function readAttribute(attributes: Map<string, string>, name: string, shape: Shape): unknown {
  const text = attributes.get(name);
  attributes.delete(name);
  return text === undefined ? undefined : toTextValue(text, shape);
}

/** Reads the elements of a member, and removes them from the rest. */
function readMember(children: Map<string, Element[]>, property: string, shape: Shape): unknown {
  const unwrapped = shape.types.includes('array') && !shape.xml.wrapped;
  const name = toLocal(unwrapped ? toItemName(property, shape) : toTagName(property, shape));
  const found = children.get(name);
  if (!found) return undefined;
  children.delete(name);
  if (unwrapped) return found.map((child) => toValue(child, shape.items()));
  const values = found.map((child) => toValue(child, shape));
  return values.length === 1 ? values[0] : values;
}

function toLocal(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { LIMITS } from '../../base/limits.ts';
import { Problem, type Violation, violationProblem } from '../../base/problem.ts';
import type { Shape } from '../../schema/schema.ts';
import { toTextValue } from './field-tree.ts';
import { toItemName, toTagName } from './write-xml.ts';

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const { value: DEEPEST_ELEMENT } = LIMITS.bodyDepth;

/**
 * The value of an XML document, read by the `xml` objects of a shape. Throws a 400 Problem for a text that is not well-formed, and a
 * 422 Problem for another root than the shape's, and for text where it has elements, because no value could hold it. The entities of a document type are unknown, so none can expand.
 */
export function readXml(text: string, shape: Shape): unknown {
  const root = parseXml(text);
  checkRoot(root, shape);
  const reading: Reading = { path: [], found: [] };
  const value = toValue(root, shape, reading);
  if (reading.found.length > 0) throw invalid(reading.found);
  return value;
}

/** The place that is being read, and what cannot be read. */
interface Reading {
  readonly path: string[];
  readonly found: Violation[];
}

const MOST_FOUND = 100;

function invalid(found: readonly Violation[]): Problem {
  return violationProblem(422, 'validation_failed', found);
}

/** A name that `xml` gives must be met. A component's own name need not be, as long as the content is what the schema names. */
function checkRoot(root: Element, shape: Shape): void {
  const { xml, name, varied } = shape;
  const expected = xml.name ?? name;
  const sent = toLocal(root.name);
  if (expected === undefined || varied || sent === toLocal(toTagName(expected, shape))) return;
  if (xml.name === undefined && (sent.toLowerCase() === expected.toLowerCase() || hasMember(root, shape)))
    return;
  const message = `must be the element ${expected}, not ${sent.slice(0, LONGEST_NAME)}`;
  throw invalid([{ location: 'body', message, code: 'xml-root' }]);
}

const LONGEST_NAME = 100;

function hasMember({ children, attributes }: Element, shape: Shape): boolean {
  if (shape.types.includes('array')) return children.length > 0;
  const properties = [...shape.properties()];
  if (properties.length === 0) return true;
  const names = new Set(
    properties.flatMap(([name, member]) => [toTagName(name, member), toItemName(name, member)].map(toLocal)),
  );
  return [...children.map(({ name }) => name), ...Object.keys(attributes)].some((name) =>
    names.has(toLocal(name)),
  );
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

function toValue(element: Element, shape: Shape, reading: Reading): unknown {
  if (isNil(element)) return null;
  const { types, scalars } = shape;
  if (types.includes('array') && scalars.length === 0) {
    refuseText(element, 'a list of elements', reading);
    return toValues(element.children, shape.items(), reading);
  }
  const named = shape.properties().size > 0 || types.includes('object');
  const nested = element.children.length > 0 || (types.length === 0 && hasAttributes(element));
  const plain = scalars.length > 0 && element.children.length === 0 && !hasAttributes(element);
  if (!plain && (named || nested)) {
    if (types.length > 0) refuseText(element, 'elements', reading);
    return toObjectValue(element, shape, reading);
  }
  // Spaces around a number are layout; in a text they may be intended.
  return toTextValue(scalars.at(-1) === 'string' ? element.text : element.text.trim(), shape);
}

/** Reads the items of a list. */
function toValues(elements: readonly Element[], shape: Shape, reading: Reading): unknown[] {
  return elements.map((element, index) =>
    within(reading, `[${index}]`, () => toValue(element, shape, reading)),
  );
}

function within<T>({ path }: Reading, step: string, read: () => T): T {
  path.push(step);
  const value = read();
  path.pop();
  return value;
}

/** Finds text that would be lost, because its element holds elements. */
function refuseText({ text }: Element, expected: string, { path, found }: Reading): void {
  if (found.length === MOST_FOUND || text.trim() === '') return;
  found.push({
    location: `body${path.join('')}`,
    message: `must hold ${expected}, not text`,
    code: 'xml-text',
  });
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
function toObjectValue(element: Element, shape: Shape, reading: Reading): unknown {
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
      : within(reading, `.${name}`, () => readMember(children, name, member, reading));
    if (value !== undefined) values.set(name, value);
  }
  for (const [name, text] of attributes) values.set(name, toTextValue(text, shape.member(name)));
  for (const [name, same] of children) {
    values.set(
      name,
      within(reading, `.${name}`, () => toSame(same, shape.member(name), reading)),
    );
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
function readMember(
  children: Map<string, Element[]>,
  property: string,
  shape: Shape,
  reading: Reading,
): unknown {
  const unwrapped = shape.types.includes('array') && !shape.xml.wrapped;
  const name = toLocal(unwrapped ? toItemName(property, shape) : toTagName(property, shape));
  const found = children.get(name);
  if (!found) return undefined;
  children.delete(name);
  return unwrapped ? toValues(found, shape.items(), reading) : toSame(found, shape, reading);
}

/** The value of the only element of a name, or the values of all of them. */
function toSame(elements: readonly Element[], shape: Shape, reading: Reading): unknown {
  const [only] = elements;
  return only && elements.length === 1 ? toValue(only, shape, reading) : toValues(elements, shape, reading);
}

function toLocal(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

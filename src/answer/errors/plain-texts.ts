import { isObject, type SchemaChecker, type SchemaNode } from '../../schema/schema.ts';
import type { Facts } from './facts.ts';
import { toCodes, toTimes } from './meaning.ts';
import { buildPick } from './pick.ts';

/** The sources from which the texts of one value are chosen. */
interface Texts {
  readonly schemas: SchemaChecker;
  readonly facts: Facts;
  /** Whether a sibling has the message, so that others have the code. */
  readonly message: boolean;
}

/**
 * Replaces the strings of a generated value by facts of the error, because made-up words explain nothing. Constants and examples of the
 * document stay, and so do strings with a pattern that no fact fits.
 */
export function withPlainTexts(texts: Texts, schema: SchemaNode, made: unknown): unknown {
  const isValid = (value: unknown) => texts.schemas.check(schema, value, '').length === 0;
  const attempts = [withoutUnknown, withPlainNames].map((rename) =>
    replaceTexts({ ...texts, rename }, schema, made, 0),
  );
  return attempts.find(isValid) ?? made;
}

/** Decides the text of a string whose member has no known name: a constant of its format, else the message, the code or the status. */
function decideText({ schemas, facts, message }: Texts, schema: SchemaNode, turn: number): unknown {
  const { format, minLength } = schema.keywords;
  const codes = [...toCodes(facts)].filter((code) => typeof code === 'string');
  const said = message ? [...codes, facts.message] : [facts.message, ...codes];
  // The items of a list may have to differ.
  const turned = [...said.slice(turn % said.length), ...said.slice(0, turn % said.length)];
  const long = typeof minLength === 'number' ? turned.map((text) => text.padEnd(minLength, '.')) : [];
  const fixed = toFormatTexts(String(format), facts);
  return buildPick(schemas, schema)([...fixed, ...turned, ...long], facts);
}

function toFormatTexts(format: string, facts: Facts): readonly unknown[] {
  if (/^(date-time|date|time|iso-time|iso-date-time)$/.test(format)) return toTimes(facts);
  return FORMAT_TEXTS[format] ?? [];
}

/** Addresses for documentation (RFC 2606, RFC 5737, RFC 3849) and the nil UUID, which nobody mistakes for real ones. */
const FORMAT_TEXTS: Readonly<Record<string, readonly string[]>> = {
  duration: ['PT0S'],
  email: ['nobody@example.com'],
  'idn-email': ['nobody@example.com'],
  hostname: ['example.com'],
  'idn-hostname': ['example.com'],
  ipv4: ['192.0.2.1'],
  ipv6: ['2001:db8::1'],
  uri: ['about:blank', 'https://example.com/'],
  'uri-reference': ['about:blank', 'https://example.com/'],
  'uri-template': ['about:blank', 'https://example.com/'],
  iri: ['about:blank', 'https://example.com/'],
  'iri-reference': ['about:blank', 'https://example.com/'],
  url: ['https://example.com/'],
  uuid: ['00000000-0000-0000-0000-000000000000'],
  'json-pointer': ['', '/'],
  'relative-json-pointer': ['0'],
  regex: ['.*'],
  byte: ['AAAA'],
};

/** Gives the names of members that a schema does not name; `undefined` to leave one out. */
type Rename = (index: number) => string | undefined;

const withoutUnknown: Rename = () => undefined;
const withPlainNames: Rename = (index) => ['message', 'code', 'status'][index] ?? `member${index + 1}`;

interface Replacing extends Texts {
  readonly rename: Rename;
}

function replaceTexts(
  replacing: Replacing,
  schema: SchemaNode | undefined,
  made: unknown,
  turn: number,
): unknown {
  if (!schema || isGiven(schema, made)) return made;
  if (typeof made === 'string') return decideText(replacing, schema, turn) ?? made;
  if (Array.isArray(made))
    return made.map((item, index) => replaceTexts(replacing, schema.items, item, index));
  return isObject(made) ? replaceMembers(replacing, schema, made) : made;
}

function replaceMembers(replacing: Replacing, schema: SchemaNode, made: object): object {
  const { allProperties, additionalProperties } = schema;
  let unknown = -1;
  const entries = Object.entries(made).flatMap(([name, member]): [string, unknown][] => {
    const own = allProperties.get(name);
    if (own) return [[name, replaceTexts(replacing, own, member, 0)]];
    unknown += 1;
    const renamed = replacing.rename(unknown);
    return renamed === undefined
      ? []
      : [[renamed, replaceTexts(replacing, additionalProperties, member, unknown)]];
  });
  return Object.fromEntries(entries);
}

/** Whether the document has the value itself, as an example or as the only one that it allows. */
function isGiven({ keywords }: SchemaNode, value: unknown): boolean {
  const { examples, example, const: only } = keywords;
  return [only, example, ...(Array.isArray(examples) ? examples : [])].includes(value);
}

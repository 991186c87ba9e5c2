import { LONGEST, SHORTEST, WORDS } from './formats.ts';

/** A copy of a schema that leaves less open. */
export interface Narrowed {
  readonly schema: object;
  /** Whether there was a choice in what was read of it so far. */
  chosen(): boolean;
}

/**
 * Narrows a schema, and the components that it leads to, where it leaves numbers and text wide open. `choice` is the place of the
 * alternative that is left wherever there are several; all of them are unless it is given.
 */
export function narrow(schema: unknown, components: unknown, choice: number | undefined): Narrowed {
  const shared = narrowComponents(components, choice);
  const own: Narrowing = { choice, chosen: false };
  const copy = { ...(toBelievable(schema, own) as object) };
  // Not to be seen by the library, which would take it for a member of an object without properties.
  Object.defineProperty(copy, 'components', { value: shared.components });
  return { schema: copy, chosen: () => own.chosen || shared.narrowing.chosen };
}

/** How schemas are narrowed, and whether it made a choice. */
interface Narrowing {
  readonly choice: number | undefined;
  chosen: boolean;
}

interface NarrowedComponents {
  readonly components: unknown;
  readonly narrowing: Narrowing;
}

/** Components are shared by all the schemas of a document, and may be megabytes. */
const narrowedComponents = new WeakMap<object, Map<number | undefined, NarrowedComponents>>();

/** The components of a document, each copied when a reference first leads to it. */
function narrowComponents(components: unknown, choice: number | undefined): NarrowedComponents {
  const narrowing: Narrowing = { choice, chosen: false };
  if (typeof components !== 'object' || components === null) return { components, narrowing };
  const byChoice = narrowedComponents.get(components) ?? new Map<number | undefined, NarrowedComponents>();
  narrowedComponents.set(components, byChoice);
  const known = byChoice.get(choice);
  if (known !== undefined) return known;
  const copy = Object.fromEntries(
    Object.entries(components).map(([kind, shared]) => [kind, toLazilyBelievable(shared, narrowing)]),
  );
  const made = { components: copy, narrowing };
  byChoice.set(choice, made);
  return made;
}

function toLazilyBelievable(shared: object, narrowing: Narrowing): object {
  const made = new Map<string | symbol, unknown>();
  return new Proxy(shared, {
    get(target, key) {
      if (!made.has(key)) made.set(key, toBelievable(Reflect.get(target, key), narrowing));
      return made.get(key);
    },
  });
}

const INT32_LIMIT = 2 ** 31 - 1;

/** A copy of a schema, narrowed where it leaves numbers and text wide open. */
function toBelievable(node: unknown, narrowing: Narrowing): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((item) => toBelievable(item, narrowing));
  const given = narrowing.choice === undefined ? node : withChoice(node, narrowing);
  const members = Object.entries(given).filter(([, value]) => !isWriteOnly(value));
  const copy = Object.fromEntries(members.map(([key, value]) => [key, toBelievable(value, narrowing)]));
  if (Array.isArray(copy.required))
    copy.required = copy.required.filter((name) => !isWriteOnlyIn(node, name));
  if (isOneOf(copy.type, ['integer', 'number'])) return { ...copy, ...toRange(copy) };
  if (isOneOf(copy.type, ['object'])) narrowObject(copy);
  if (isOneOf(copy.type, ['string'])) narrowText(copy);
  return copy;
}

/** Leaves one alternative where there are several. An empty list belongs to all that are lists, so none is empty. */
function withChoice(node: object, narrowing: Narrowing): object {
  const copy: Record<string, unknown> = { ...node };
  if (isOneOf(copy.type, ['array']) && copy.maxItems !== 0) copy.minItems ??= 1;
  for (const key of ALTERNATIVES) {
    if (!Array.isArray(copy[key])) continue;
    const alternatives = copy[key].flatMap(flatten);
    if (alternatives.length < 2) continue;
    narrowing.chosen = true;
    copy[key] = [alternatives[(narrowing.choice ?? 0) % alternatives.length]];
  }
  return copy;
}

/** The keys of a dictionary that is made up. */
const KEYS = WORDS.slice(0, 3);

const ALTERNATIVES = ['oneOf', 'anyOf'];

/** The alternatives of an alternative that is nothing else. */
function flatten(alternative: unknown): unknown[] {
  if (typeof alternative !== 'object' || alternative === null) return [alternative];
  const entries = Object.entries(alternative).filter(
    ([key]) => !/^(\$schema|title|description|x-.*)$/.test(key),
  );
  const [[key, value] = []] = entries;
  const nests = entries.length === 1 && ALTERNATIVES.includes(String(key)) && Array.isArray(value);
  return nests ? value.flatMap(flatten) : [alternative];
}

/** What a pattern lets stand before and after is left out: it only makes texts that are too long. */
function narrowText(copy: Record<string, unknown>): void {
  if (typeof copy.pattern === 'string') {
    copy.pattern = copy.pattern.replace(/^\^?\.\*/, '').replace(/(?<!\\)\.\*\$?$/, '');
    if (copy.pattern === '' || copy.pattern === '$') delete copy.pattern;
  }
  if (isOpenText(copy)) copy.format = 'words';
}

/** A dictionary gets some words as keys: an empty one would show nobody what it holds. */
function narrowObject(copy: Record<string, unknown>): void {
  const { additionalProperties: each, minProperties = 0, maxProperties = KEYS.length } = copy;
  // Without properties, the library takes keywords that it does not know for members.
  copy.properties ??= {};
  const open = [copy.patternProperties, copy.propertyNames, copy.required].every((one) => one === undefined);
  const fits = Number(minProperties) <= KEYS.length && Number(maxProperties) >= KEYS.length;
  if (typeof each !== 'object' || each === null || !open || !fits) return;
  if (Object.keys(copy.properties as object).length > 0) return;
  copy.properties = Object.fromEntries(KEYS.map((key) => [key, each]));
}

/** What only a request holds is not made up for an answer. */
function isWriteOnly(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'writeOnly' in value && value.writeOnly === true;
}

function isWriteOnlyIn(schema: object, name: string): boolean {
  return (
    'properties' in schema && isWriteOnly((schema.properties as Record<string, unknown> | undefined)?.[name])
  );
}

/** Whether words may stand there, whatever they are: random letters up to a limit of thousands are of no use to anybody. */
function isOpenText({
  format,
  pattern,
  enum: members,
  const: only,
  minLength,
  maxLength,
}: OpenText): boolean {
  const free = [format, pattern, members, only].every((constraint) => constraint === undefined);
  return free && Number(minLength ?? 0) <= SHORTEST && Number(maxLength ?? LONGEST) >= LONGEST;
}

type OpenText = Readonly<Record<string, unknown>>;

function isOneOf(type: unknown, wanted: readonly string[]): boolean {
  return [type].flat().some((each) => wanted.includes(String(each)));
}

/** From 1 to 1000, or a range as wide at the limit that the schema sets. */
function toRange({ type, minimum, maximum, multipleOf }: Record<string, unknown>): Record<string, unknown> {
  const low = typeof minimum === 'number' && minimum > -INT32_LIMIT ? minimum : undefined;
  const high = typeof maximum === 'number' && maximum < INT32_LIMIT ? maximum : undefined;
  const from = low ?? (high !== undefined && high < 1 ? high - 999 : 1);
  return {
    minimum: from,
    maximum: high ?? from + 999,
    ...(isOneOf(type, ['number']) && multipleOf === undefined && { multipleOf: 0.5 }),
  };
}

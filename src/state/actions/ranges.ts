import type { Resource } from '../../model/resources/resources.ts';
import { indexNames, toBareName, toSnake } from '../../model/resources/resources.ts';
import { isNumeric, type SchemaNode } from '../../schema/schema.ts';
import type { Bound } from './conditions.ts';
import type { ListInput } from './list-inputs.ts';

/** A property, and the side of a parameter's value on which it must be. */
export interface Range {
  readonly property: string;
  readonly bound: Bound;
}

/** Creates a function that finds the range which a parameter of a list means by its name: `min_price`, `createdAfter`, `price[lte]`, `until`. */
export function createRangeFinder(
  resource: Pick<Resource, 'properties' | 'schema'>,
  inputs: readonly ListInput[],
): (input: ListInput) => Range | undefined {
  const nameOf = indexNames(resource.properties);
  const schemaOf = (property: string) => resource.schema.at([property]);
  const dates = resource.properties.filter((name) => isDate(name, schemaOf(name)));
  const words = new Set(inputs.map(({ name }) => toBareName(name)));
  const propertyOf = ({ word, rest }: RangeName, input: ListInput) => {
    if (isAmbiguous(word, rest) && !isAboutTime(input, word, words)) return undefined;
    const property =
      findProperty(nameOf, rest, dates) ?? (TIME_WORD.test(rest) ? findLikelyDate(dates) : undefined);
    if (property === undefined || REFERRING_NAME.test(toSnake(property))) return undefined;
    return mayCompare(input.schema, property, schemaOf(property)) ? property : undefined;
  };
  return (input) => {
    for (const split of splitName(toBareName(input.name))) {
      const property = propertyOf(split, input);
      const bound = BOUNDS[split.word];
      if (bound && property !== undefined) return { property, bound };
    }
    return undefined;
  };
}

/** Names of keys: `from_user_id` refers to a user and does not bound `user_id`. */
const REFERRING_NAME = /_id$/;

const LEAST: Bound = { side: 'least', strict: false };
const MOST: Bound = { side: 'most', strict: false };

/** The words at one end of a name. A bound is within its range, unless the word excludes it. */
const BOUNDS: Readonly<Record<string, Bound>> = {
  ...toEntries('min minimum least from since after start begin earliest gte ge newer_than', LEAST),
  ...toEntries('max maximum most to until till before end latest lte le older_than through', MOST),
  ...toEntries('gt above greater_than more_than', { side: 'least', strict: true }),
  ...toEntries('lt below less_than under', { side: 'most', strict: true }),
};

function toEntries(words: string, bound: Bound): Record<string, Bound> {
  return Object.fromEntries(words.split(' ').map((word) => [word, bound]));
}

interface RangeName {
  readonly word: string;
  readonly rest: string;
}

/** Splits a name into the word for its bound, at the end or the start, and the rest. */
function splitName(name: string): RangeName[] {
  const words = Object.keys(BOUNDS);
  return [
    ...words.filter((word) => name === word).map((word) => ({ word, rest: '' })),
    ...words
      .filter((word) => name.endsWith(`_${word}`))
      .map((word) => ({ word, rest: name.slice(0, -word.length - 1) })),
    ...words
      .filter((word) => name.startsWith(`${word}_`))
      .map((word) => ({ word, rest: name.slice(word.length + 1) })),
  ];
}

/** Names that leave open which of the dates is meant. */
const TIME_WORD = /^(|date|time|date_?time|timestamp|day|at|on)$/;

/** Words that may be about pages, or about anything, where they stand alone. */
function isAmbiguous(word: string, rest: string): boolean {
  return rest === '' && word !== 'since' && word !== 'until';
}

const PAIRS: Readonly<Record<string, readonly string[]>> = {
  from: ['to', 'until', 'till'],
  to: ['from', 'since'],
  start: ['end'],
  end: ['start'],
};

/** Whether a parameter that is such a word is about time: its format says so, or it is a text and its counterpart is declared too. */
function isAboutTime({ schema }: ListInput, word: string, words: ReadonlySet<string>): boolean {
  const { format } = schema.keywords;
  if (isTimeFormat(format)) return true;
  return schema.types.includes('string') && (PAIRS[word] ?? []).some((other) => words.has(other));
}

function isTimeFormat(format: unknown): boolean {
  return format === 'date' || format === 'date-time';
}

/** Finds the property with a name, or the date whose name lacks only its usual end: `created` means `createdAt`. */
function findProperty(
  nameOf: (name: string) => string | undefined,
  name: string,
  dates: readonly string[],
): string | undefined {
  if (name === '') return undefined;
  const own = nameOf(name);
  if (own !== undefined) return own;
  const stem = toStem(name);
  return stem === '' ? undefined : dates.find((date) => toStem(toSnake(date)) === stem);
}

function toStem(name: string): string {
  return name.replace(/^date_|_(at|on|date|time|date_?time|timestamp)$/g, '');
}

/** The only date, or the one that is most likely meant by no name. */
function findLikelyDate(dates: readonly string[]): string | undefined {
  if (dates.length < 2) return dates[0];
  for (const pattern of LIKELY) {
    const found = dates.find((date) => pattern.test(toSnake(date)));
    if (found !== undefined) return found;
  }
  return undefined;
}

const LIKELY = [/^(date|time|timestamp|day)$/, /^(start|begin)/, /^(date_)?creat/, /^(publish|post|order)/];

/** Whether a property is a date by its format, or as a text without one by its name. */
function isDate(name: string, { types, keywords }: SchemaNode): boolean {
  if (isTimeFormat(keywords.format)) return true;
  if (!types.includes('string') || keywords.format !== undefined || keywords.enum !== undefined) return false;
  return DATE_NAME.test(toSnake(name));
}

const DATE_NAME = /(^|_)(date|at|timestamp|datetime)$|^date_|^(created|updated|modified|published)(_on)?$/;

/** Whether the values of a parameter can be compared with those of a property. */
function mayCompare(parameter: SchemaNode, property: string, schema: SchemaNode): boolean {
  const isTime = isTimeFormat(parameter.keywords.format);
  if (isNumeric(schema)) return !isTime;
  if (isDate(property, schema)) return !isNumeric(parameter);
  return isNumeric(parameter) && schema.types.includes('string') && schema.keywords.enum === undefined;
}

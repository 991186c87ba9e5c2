import { explainHazard } from '../pattern/pattern.ts';
import { KEYWORDS, type Keyword, toPattern } from './keywords.ts';
import { mapMembers } from './members.ts';
import { isMapping, kindOf } from './note.ts';
import { below, define, type Here, ignore, type Mend } from './unit.ts';

/** A schema that every validator compiles: a copy without what no validator understands, which is noted, or itself if all of it is right. */
export function mendSchema(
  node: Readonly<Record<string, unknown>>,
  here: Here,
  mend: Mend,
): Record<string, unknown> {
  const schema = mapMembers(node, here, (value, key) => {
    if (key === '__proto__') return undefined;
    const keyword = KEYWORDS.get(key);
    return keyword ? mendKeyword(keyword, key, value, here, mend) : withoutSchemas(value);
  });
  const settled = UNSETTLED.every((key) => schema[key] === undefined);
  return settled ? schema : settle(schema, here.walk.format.readsExample);
}

/** The keywords that only make sense together, or are written in several ways. */
const UNSETTLED: readonly string[] = [
  ...['example', 'required', 'pattern', 'nullable', 'x-nullable', 'enum'],
  ...['exclusiveMinimum', 'exclusiveMaximum'],
];

/** What is no keyword means nothing, but validators and generators look for schemas in every mapping. */
function withoutSchemas(value: unknown): unknown {
  return isMapping(value) ? undefined : value;
}

function mendKeyword(keyword: Keyword, key: string, value: unknown, above: Here, mend: Mend): unknown {
  if (value === undefined || value === null || keyword.holds === 'nothing') return undefined;
  if (keyword.holds !== 'value') return HOLDERS[keyword.holds](value, below(above, key), mend);
  if (keyword.isUsable(value)) {
    const hazard = keyword.explainHazard?.(value);
    return hazard === undefined ? value : hazardous(below(above, key), hazard);
  }
  if (keyword.matters) expected(below(above, key), keyword.expects, value);
  return undefined;
}

type Holding = Exclude<Keyword['holds'], 'value' | 'nothing'>;

const HOLDERS: Readonly<Record<Holding, (value: unknown, here: Here, mend: Mend) => unknown>> = {
  schema: (value, here, mend) => mend(value, 'schema', here),
  'schema or list': (value, here, mend) =>
    HOLDERS[Array.isArray(value) ? 'list' : 'schema'](value, here, mend),
  list(value, here, mend) {
    if (!Array.isArray(value)) return expected(here, 'a list of schemas', value);
    const items = value.flatMap((item, index) => {
      const mended = mend(item, 'schema', below(here, index));
      if (mended === undefined) return [];
      // The conversion throws schemas away that are no mappings.
      return typeof mended === 'boolean' ? [mended ? {} : { not: {} }] : [mended];
    });
    return items.length > 0
      ? items
      : value.length > 0
        ? undefined
        : expected(here, 'a list with something in it', value);
  },
  facts: (value) => (isMapping(value) ? toFacts(value) : undefined),
  mapping(value, here, mend) {
    if (!isMapping(value)) return expected(here, 'a mapping of names to schemas', value);
    if (here.place?.key === 'patternProperties') return mendPatterns(value, here, mend);
    return mapMembers(value, here, (item, name) => mend(item, 'schema', below(here, name)) ?? {});
  },
};

function mendPatterns(value: Readonly<Record<string, unknown>>, here: Here, mend: Mend): object {
  const schemas = {};
  for (const [name, item] of Object.entries(value)) {
    const at = below(here, name);
    const pattern = toPattern(name);
    const hazard = pattern === undefined ? undefined : explainHazard(pattern);
    if (pattern === undefined) expected(at, 'a regular expression', name);
    else if (hazard !== undefined) hazardous(at, hazard);
    else define(schemas, pattern, mend(item, 'schema', at) ?? {});
  }
  return schemas;
}

function toFacts(value: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(value).filter(([key, member]) => !key.startsWith('$') && typeof member !== 'object'),
  );
}

function expected(here: Here, what: string, value: unknown): undefined {
  return ignore(here, `expected ${what}, got ${show(value)}`, 'Correct or remove it.');
}

/** A pattern that could keep the server busy for minutes with one request. */
function hazardous(here: Here, why: string): undefined {
  return ignore(
    here,
    `the pattern might take minutes to match: ${why}`,
    'Write it without that, or say it with other keywords.',
  );
}

/** A short value as it is written. */
function show(value: unknown): string {
  if (typeof value === 'string')
    return value.length > 40 ? `a text of ${value.length} characters` : `"${value}"`;
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list that holds something else';
  return typeof value === 'object' ? kindOf(value) : String(value);
}

/** A copy with what only makes sense together brought together. */
function settle(node: Record<string, unknown>, readsExample: boolean): Record<string, unknown> {
  const { nullable, 'x-nullable': alias, example, ...schema } = node;
  const { required, pattern } = schema;
  if (example !== undefined) {
    if (readsExample) schema.example = example;
    else schema.examples = [example];
  }
  if (Array.isArray(required)) schema.required = [...new Set(required)];
  if (typeof pattern === 'string') schema.pattern = toPattern(pattern);
  settleNull(schema, nullable ?? alias);
  settleExclusive(schema, 'minimum', 'exclusiveMinimum');
  settleExclusive(schema, 'maximum', 'exclusiveMaximum');
  return schema;
}

/**
 * OpenAPI 3.0 has `nullable: true` beside a type; validators know a type `null`, and refuse to compile an enum in which a value
 * comes twice. Without a type it means nothing.
 */
function settleNull(schema: Record<string, unknown>, nullable: unknown): void {
  const { type } = schema;
  const gains = nullable === true && type !== undefined;
  if (gains) schema.type = [...new Set([type, 'null'].flat())];
  if (Array.isArray(schema.enum)) schema.enum = withoutTwins(gains ? [...schema.enum, null] : schema.enum);
}

function withoutTwins(values: readonly unknown[]): unknown[] {
  // A list given as an object may lack items.
  const given = values.filter((value) => value !== undefined);
  return [...new Map(given.map((value) => [JSON.stringify(value), value])).values()];
}

/** OpenAPI 3.0 has `exclusiveMinimum: true` beside a minimum; validators know the number alone. */
function settleExclusive(schema: Record<string, unknown>, limit: string, exclusive: string): void {
  if (typeof schema[exclusive] !== 'boolean') return;
  if (schema[exclusive] && schema[limit] !== undefined) {
    schema[exclusive] = schema[limit];
    delete schema[limit];
  } else delete schema[exclusive];
}

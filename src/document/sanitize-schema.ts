import { explainHazard } from '../base/pattern/pattern.ts';
import { closeComposition } from './close-composition.ts';
import { KEYWORDS, type Keyword, toUnicodePattern } from './keywords.ts';
import { define, isMapping, kindOf, type Mapping, mapMembers } from './mapping.ts';
import { below, type Here, ignore, type Sanitize } from './unit.ts';

/**
 * Removes and reports the keywords that validators do not understand, so that every validator compiles the schema. Rewrites those that
 * do not mean what their author intends.
 */
export function sanitizeSchema(node: Mapping, here: Here, sanitize: Sanitize): Record<string, unknown> {
  return (
    closeComposition(node, here, { sanitize, sanitizeKeywords }) ?? sanitizeKeywords(node, here, sanitize)
  );
}

function sanitizeKeywords(node: Mapping, here: Here, sanitize: Sanitize): Record<string, unknown> {
  const schema = mapMembers(node, !here.source.isTree, (value, key) => {
    if (key === '__proto__') return undefined;
    const keyword = KEYWORDS.get(key);
    if (keyword) return sanitizeKeyword(keyword, key, value, here, sanitize);
    // Validators and generators look for schemas in the mappings of unknown keywords, too.
    return isMapping(value) ? undefined : value;
  });
  return DIALECT_KEYWORDS.some((key) => schema[key] !== undefined)
    ? normalize(schema, here.walk.format.readsExample)
    : schema;
}

/** The keywords that depend on each other, or that dialects write in different ways. */
const DIALECT_KEYWORDS: readonly string[] = [
  ...['example', 'required', 'pattern', 'nullable', 'x-nullable', 'enum'],
  ...['exclusiveMinimum', 'exclusiveMaximum'],
];

function sanitizeKeyword(
  keyword: Keyword,
  key: string,
  value: unknown,
  above: Here,
  sanitize: Sanitize,
): unknown {
  if (value === undefined || value === null || keyword.holds === 'nothing') return undefined;
  if (keyword.holds !== 'value') return CONTENT_SANITIZERS[keyword.holds](value, below(above, key), sanitize);
  if (keyword.isUsable(value)) {
    const hazard = keyword.explainHazard?.(value);
    return hazard === undefined ? value : ignoreHazard(below(above, key), hazard);
  }
  if (keyword.matters) ignoreUnexpected(below(above, key), keyword.expects, value);
  return undefined;
}

type ContentKind = Exclude<Keyword['holds'], 'value' | 'nothing'>;

const CONTENT_SANITIZERS: Readonly<
  Record<ContentKind, (value: unknown, here: Here, sanitize: Sanitize) => unknown>
> = {
  schema: (value, here, sanitize) => sanitize(value, 'schema', here),
  'schema or list': (value, here, sanitize) =>
    CONTENT_SANITIZERS[Array.isArray(value) ? 'list' : 'schema'](value, here, sanitize),
  list(value, here, sanitize) {
    if (!Array.isArray(value)) return ignoreUnexpected(here, 'a list of schemas', value);
    if (value.length === 0) return ignoreUnexpected(here, 'a list that is not empty', value);
    const items = value.flatMap((item, index) => {
      const sanitized = sanitize(item, 'schema', below(here, index));
      if (sanitized === undefined) return [];
      // The conversion drops boolean schemas.
      return typeof sanitized === 'boolean' ? [sanitized ? {} : { not: {} }] : [sanitized];
    });
    return items.length > 0 ? items : undefined;
  },
  facts: (value) => (isMapping(value) ? withScalarsOnly(value) : undefined),
  mapping(value, here, sanitize) {
    if (!isMapping(value)) return ignoreUnexpected(here, 'a mapping of names to schemas', value);
    if (here.position?.key === 'patternProperties') return sanitizePatterns(value, here, sanitize);
    return mapMembers(
      value,
      !here.source.isTree,
      (item, name) => sanitize(item, 'schema', below(here, name)) ?? {},
    );
  },
};

function sanitizePatterns(value: Mapping, here: Here, sanitize: Sanitize): object {
  const schemas = {};
  for (const [name, item] of Object.entries(value)) {
    const at = below(here, name);
    const pattern = toUnicodePattern(name);
    const hazard = pattern === undefined ? undefined : explainHazard(pattern);
    if (pattern === undefined) ignoreUnexpected(at, 'a regular expression', name);
    else if (hazard !== undefined) ignoreHazard(at, hazard);
    else define(schemas, pattern, sanitize(item, 'schema', at) ?? {});
  }
  return schemas;
}

function withScalarsOnly(value: Mapping): object {
  return Object.fromEntries(
    Object.entries(value).filter(([key, member]) => !key.startsWith('$') && typeof member !== 'object'),
  );
}

function ignoreUnexpected(here: Here, expected: string, value: unknown): undefined {
  const reason = `expected ${expected}, got ${describeValue(value)}`;
  return ignore(here, 'keyword-ignored', reason, 'Correct or remove it.');
}

/** Ignores a pattern with which a single request could block the server for minutes. */
function ignoreHazard(here: Here, why: string): undefined {
  const reason = `the pattern might take minutes to match: ${why}`;
  return ignore(here, 'pattern-hazardous', reason, 'Rewrite it, or use other keywords.');
}

/** Shows a short value as written, and describes a long one. */
function describeValue(value: unknown): string {
  if (typeof value === 'string')
    return value.length > 40 ? `a string of ${value.length} characters` : `"${value}"`;
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list with other items';
  return typeof value === 'object' ? kindOf(value) : String(value);
}

/** Copies a schema and rewrites the keywords of other dialects. */
function normalize(node: Mapping, readsExample: boolean): Record<string, unknown> {
  const { nullable, 'x-nullable': alias, example, ...rest } = node;
  const schema: Record<string, unknown> = rest;
  const { required, pattern } = schema;
  if (example !== undefined) {
    if (readsExample) schema.example = example;
    else schema.examples = [example];
  }
  if (Array.isArray(required)) schema.required = [...new Set(required)];
  if (typeof pattern === 'string') schema.pattern = toUnicodePattern(pattern);
  normalizeNull(schema, nullable ?? alias);
  normalizeExclusive(schema, 'minimum', 'exclusiveMinimum');
  normalizeExclusive(schema, 'maximum', 'exclusiveMaximum');
  return schema;
}

/**
 * Replaces `nullable: true` of OpenAPI 3.0, which means nothing without a type, by the type `null`. Removes duplicates from an enum,
 * with which validators do not compile.
 */
function normalizeNull(schema: Record<string, unknown>, nullable: unknown): void {
  const { type } = schema;
  const allowsNull = nullable === true && type !== undefined;
  if (allowsNull) schema.type = [...new Set([type, 'null'].flat())];
  if (Array.isArray(schema.enum))
    schema.enum = withoutDuplicates(allowsNull ? [...schema.enum, null] : schema.enum);
}

function withoutDuplicates(values: readonly unknown[]): unknown[] {
  // A list given in process may have holes.
  const given = values.filter((value) => value !== undefined);
  return [...new Map(given.map((value) => [JSON.stringify(value), value])).values()];
}

/** Replaces `exclusiveMinimum: true` of OpenAPI 3.0 by the number, the only form that validators know. */
function normalizeExclusive(schema: Record<string, unknown>, limit: string, exclusive: string): void {
  if (typeof schema[exclusive] !== 'boolean') return;
  if (schema[exclusive] && schema[limit] !== undefined) {
    schema[exclusive] = schema[limit];
    delete schema[limit];
  } else delete schema[exclusive];
}

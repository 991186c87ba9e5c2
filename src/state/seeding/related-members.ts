import { toSnake } from '../../model/resources/resources.ts';
import { isObject, type Schema, type SchemaNode, type SchemaNodes } from '../../schema/schema.ts';
import type { IsGiven, ValuePath } from './leaves.ts';
import { relateCounts, relatePages } from './related-counts.ts';
import { relateRanges } from './related-ranges.ts';
import { relateSlugs } from './related-slugs.ts';
import { relateTimes } from './related-times.ts';
import { relateLine, relateTotals } from './related-totals.ts';
import type { ApplyRelation, Relation } from './relation.ts';

/** The rules for a value whose members should agree with each other. */
interface RelateOptions {
  readonly schema: SchemaNode;
  /** Whether a value comes from the document itself, so that neither it nor its members change; none by default. */
  readonly isGiven?: IsGiven;
  /** Whether a member may change; all may by default. */
  readonly isFree?: (path: ValuePath) => boolean;
  readonly isValid: (value: unknown) => boolean;
  /** Leaves all but counts and totals as they are. */
  readonly only?: 'sums' | undefined;
}

/** Relations between a list and the counts and totals beside it. */
const SUMS: readonly Relation[] = [relateCounts, relateLine, relateTotals];

/** All other relations between the members of an object. */
const OTHERS: readonly Relation[] = [relateSlugs, relatePages, relateRanges, relateTimes];

/** The most groups of changes to try one by one. Each try checks the whole value. */
const MOST_TRIED = 50;

/**
 * Makes the members of each object agree as far as its schema allows: counts and totals with their lists, times with each other and with
 * the state, a slug with the title. A changed value is valid.
 */
export function relateMembers(options: RelateOptions, value: unknown): unknown {
  if (!hasRelations(options.schema)) return value;
  const { schema, isGiven = () => false, isFree = () => true, isValid, only } = options;
  const withChanges = (accept: (group: number) => boolean) => {
    let found = 0;
    const changed = relate({ path: [], schema, value, isGiven, isFree, only, accept: () => accept(found++) });
    return { changed, found };
  };
  const { changed, found } = withChanges(() => true);
  if (found === 0 || isValid(changed)) return changed;
  if (found > MOST_TRIED || !isValid(value)) return value;
  const accepted = new Set<number>();
  for (let group = 0; group < found; group++) {
    const isAccepted = (each: number) => each === group || accepted.has(each);
    if (isValid(withChanges(isAccepted).changed)) accepted.add(group);
  }
  return withChanges((group) => accepted.has(group)).changed;
}

/** A value at its path, with the schema and the rules that apply to it. */
interface RelatedValue extends Required<Pick<RelateOptions, 'isGiven' | 'isFree' | 'only'>> {
  readonly path: ValuePath;
  readonly schema: SchemaNode | undefined;
  readonly value: unknown;
  /** Whether to apply the next group of changes, which belong together. */
  readonly accept: () => boolean;
}

/** Applies the accepted changes in one pass. */
function relate(place: RelatedValue): unknown {
  const { schema, value, isGiven } = place;
  if (!schema || !isObject(value) || isGiven(schema, value) || !hasRelations(schema)) return value;
  const relations = relationsOf(schema);
  if (!Array.isArray(value)) return relateObject(place, relations, value);
  const list = value.map((item, index) => relate(toInner(place, index, relations.items, item)));
  return list.every((item, index) => item === value[index]) ? value : list;
}

function relateObject(
  place: RelatedValue,
  { properties, inner, sums, others }: SchemaRelations,
  value: Readonly<Record<string, unknown>>,
): unknown {
  const isFree = (key: string) => {
    const own = properties.get(key);
    return own !== undefined && !place.isGiven(own, value[key]) && place.isFree([...place.path, key]);
  };
  const changes: (readonly [string, unknown])[] = [];
  for (const [key, own] of inner) {
    const member = Object.hasOwn(value, key) ? value[key] : undefined;
    if (!isObject(member)) continue;
    const changed = relate(toInner(place, key, own, member));
    if (changed !== member) changes.push([key, changed]);
  }
  const add = (relation: ApplyRelation) => {
    const group = relation(value, isFree);
    if (group.length > 0 && place.accept()) changes.push(...group);
  };
  sums.forEach(add);
  if (place.only !== 'sums') others.forEach(add);
  return changes.length === 0 ? value : { ...value, ...Object.fromEntries(changes) };
}

function toInner(
  place: RelatedValue,
  step: string | number,
  schema: SchemaNode | undefined,
  value: unknown,
): RelatedValue {
  return { ...place, path: [...place.path, step], schema, value };
}

/** The relations in the values of a schema, and the schemas below it that may have some. */
interface SchemaRelations {
  readonly items: SchemaNode | undefined;
  readonly properties: SchemaNodes;
  /** The properties whose values may be objects or lists. */
  readonly inner: readonly (readonly [key: string, schema: SchemaNode])[];
  readonly sums: readonly ApplyRelation[];
  readonly others: readonly ApplyRelation[];
  /** Whether a value has relations at any depth; `undefined` until it is first needed. */
  isRelated: boolean | undefined;
}

/** Keyed by definition, because a schema without a name gets a new node at each read. */
const relationsBySchema = new WeakMap<Schema, SchemaRelations>();

function relationsOf(schema: SchemaNode): SchemaRelations {
  const { keywords } = schema;
  const known = relationsBySchema.get(keywords);
  if (known) return known;
  const { items, allProperties: properties } = schema;
  const members = [...properties].map(([key, own]) => ({ key, name: toSnake(key), schema: own }));
  const applicable = (relations: readonly Relation[]) =>
    relations.flatMap((relation) => relation(members) ?? []);
  const found = {
    items,
    properties,
    inner: [...properties].filter(([, { types }]) => types.length === 0 || types.some(isStructure)),
    sums: applicable(SUMS),
    others: applicable(OTHERS),
    isRelated: undefined,
  };
  relationsBySchema.set(keywords, found);
  return found;
}

function isStructure(type: string): boolean {
  return type === 'object' || type === 'array';
}

/** Whether the values of a schema have relations at any depth. Works for recursive schemas, and remembers the result. */
export function hasRelations(schema: SchemaNode): boolean {
  const relations = relationsOf(schema);
  relations.isRelated ??= findRelated(relations);
  return relations.isRelated;
}

function findRelated(start: SchemaRelations): boolean {
  const reached = new Set([start]);
  for (const { items, inner, sums, others, isRelated } of reached) {
    if (isRelated ?? sums.length + others.length > 0) return true;
    if (isRelated === undefined)
      for (const [, own] of [...inner, ...(items ? [['', items] as const] : [])])
        reached.add(relationsOf(own));
  }
  return false;
}

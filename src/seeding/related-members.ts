import { toSnake } from '../resources/resources.ts';
import { isObject, type Schema, type SchemaNode, type SchemaNodes } from '../schema/schema.ts';
import type { IsGiven, ValuePath } from './leaves.ts';
import { relateCounts, relatePages } from './related-counts.ts';
import { relateRanges } from './related-ranges.ts';
import { relateSlugs } from './related-slugs.ts';
import { relateTimes } from './related-times.ts';
import { relateLine, relateTotals } from './related-totals.ts';
import type { ApplyRelation, Relation } from './relation.ts';

/** A value whose members are to agree with each other. */
interface RelateOptions {
  readonly schema: SchemaNode;
  /** Whether the document itself gives a value, so that neither it nor its members change; by default none. */
  readonly isGiven?: IsGiven;
  /** Whether a member may change; by default all may. */
  readonly isFree?: (path: ValuePath) => boolean;
  readonly isValid: (value: unknown) => boolean;
  /** Leaves all but counts and totals as they are. */
  readonly only?: 'sums' | undefined;
}

/** What has to agree with a list. */
const SUMS: readonly Relation[] = [relateCounts, relateLine, relateTotals];

/** What else has to agree in an object. */
const OTHERS: readonly Relation[] = [relateSlugs, relatePages, relateRanges, relateTimes];

/** The most groups of changes that are tried one by one: each takes a check of the whole value. */
const MOST_TRIED = 50;

/**
 * A value in which members of the same object agree wherever its schema allows it: counts and totals with their lists, times with
 * each other and with the state, a slug with the title. A changed value is valid.
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

interface RelatedValue extends Required<Pick<RelateOptions, 'isGiven' | 'isFree' | 'only'>> {
  readonly path: ValuePath;
  readonly schema: SchemaNode | undefined;
  readonly value: unknown;
  /** Whether to apply the next group of changes; those of a group belong together. */
  readonly accept: () => boolean;
}

/** A value with the accepted changes, made in one pass. */
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

/** The facts of a schema that its values are read by. */
interface SchemaRelations {
  readonly items: SchemaNode | undefined;
  readonly properties: SchemaNodes;
  /** The properties that may have members of their own. */
  readonly inner: readonly (readonly [key: string, schema: SchemaNode])[];
  readonly sums: readonly ApplyRelation[];
  readonly others: readonly ApplyRelation[];
  /** Whether anything has to agree in an object or list, or in anything inside it; `undefined` until it is asked for. */
  isRelated: boolean | undefined;
}

/** By definition, because a schema without a name has a new node each time it is read. */
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

/** Whether anything has to agree in the values of a schema. Found once, however the schema refers to itself. */
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

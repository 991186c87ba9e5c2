import { toSnake } from '../resources/resources.ts';
import { isObject, type Schema, type SchemaNode, type SchemaNodes } from '../schema/schema.ts';
import type { IsGiven, ValuePath } from './leaves.ts';
import { relateCounts, relatePages } from './related-counts.ts';
import { relateRanges } from './related-ranges.ts';
import { relateSlugs } from './related-slugs.ts';
import { relateTimes } from './related-times.ts';
import { relateLine, relateTotals } from './related-totals.ts';
import { type ApplyRelation, type Changes, NO_CHANGES, type Relation } from './relation.ts';

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
 * each other and with the state, a slug with the title.
 */
export function relateMembers(options: RelateOptions, value: unknown): unknown {
  const { schema, isGiven = () => false, isFree = () => true, isValid, only } = options;
  const withChanges = (accept: (group: number) => boolean) => {
    let found = 0;
    const changed = relate({ path: [], schema, value, isGiven, isFree, only, accept: () => accept(found++) });
    return { changed, found };
  };
  const { changed, found } = withChanges(() => true);
  if (found === 0 || isValid(changed)) return changed;
  if (found > MOST_TRIED) return value;
  const accepted = new Set<number>();
  for (let group = 0; group < found; group++) {
    const isAccepted = (each: number) => each === group || accepted.has(each);
    if (isValid(withChanges(isAccepted).changed)) accepted.add(group);
  }
  return withChanges((group) => accepted.has(group)).changed;
}

interface Place extends Required<Pick<RelateOptions, 'isGiven' | 'isFree' | 'only'>> {
  readonly path: ValuePath;
  readonly schema: SchemaNode | undefined;
  readonly value: unknown;
  /** Whether to apply the next group of changes; those of a group belong together. */
  readonly accept: () => boolean;
}

/** A value with the accepted changes, made in one pass. */
function relate({ schema, value, ...place }: Place): unknown {
  if (!schema || !isObject(value) || place.isGiven(schema, value)) return value;
  const { items, properties, sums, others } = outlineOf(schema);
  const inner = (step: string | number, own: SchemaNode | undefined, member: unknown) =>
    relate({ ...place, path: [...place.path, step], schema: own, value: member });
  if (Array.isArray(value)) {
    const list = items ? value.map((item, index) => inner(index, items, item)) : value;
    return list.every((item, index) => item === value[index]) ? value : list;
  }
  const isFree = (key: string) => {
    const own = properties.get(key);
    return own !== undefined && !place.isGiven(own, value[key]) && place.isFree([...place.path, key]);
  };
  const changes = [...properties].flatMap(([key, own]): Changes => {
    const member = Object.hasOwn(value, key) ? value[key] : undefined;
    if (typeof member !== 'object') return NO_CHANGES;
    const changed = inner(key, own, member);
    return changed === member ? NO_CHANGES : [[key, changed]];
  });
  const own = (place.only === 'sums' ? sums : [...sums, ...others]).flatMap((relation) => {
    const group = relation(value, isFree);
    return group.length > 0 && place.accept() ? group : NO_CHANGES;
  });
  const all = [...changes, ...own];
  return all.length === 0 ? value : { ...value, ...Object.fromEntries(all) };
}

/** The facts of a schema that its values are read by. */
interface Outline {
  readonly items: SchemaNode | undefined;
  readonly properties: SchemaNodes;
  readonly sums: readonly ApplyRelation[];
  readonly others: readonly ApplyRelation[];
}

/** By definition, because a schema without a name has a new node each time it is read. */
const outlines = new WeakMap<Schema, Outline>();

function outlineOf({ keywords, items, allProperties }: SchemaNode): Outline {
  const known = outlines.get(keywords);
  if (known) return known;
  const members = [...allProperties].map(([key, schema]) => ({ key, name: toSnake(key), schema }));
  const applicable = (relations: readonly Relation[]) =>
    relations.flatMap((relation) => relation(members) ?? []);
  const outline = {
    items,
    properties: allProperties,
    sums: applicable(SUMS),
    others: applicable(OTHERS),
  };
  outlines.set(keywords, outline);
  return outline;
}

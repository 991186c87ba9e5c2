import type { Resource } from '../../model/resources/resources.ts';
import { findAttributes, indexNames, toSnake } from '../../model/resources/resources.ts';
import { isCreationTime } from './fresh.ts';
import { buildReadValue, type ListInput, type ListSource } from './list-inputs.ts';
import type { ListParameters } from './list-parameters.ts';
import { type SortTerm, toSortTerms, unknownSort } from './query.ts';

/** A sort key of entities: a property, or a member of its object. */
type Sortable = Pick<SortTerm, 'property' | 'member'>;

/** The sort keys that the entities of a resource have. */
export interface Sortables extends Pick<Resource, 'key'> {
  readonly byName: ReadonlyMap<string, Sortable>;
}

/** Finds the sort keys of a resource. An attribute goes by its own name. */
export function buildSortables(resource: Resource): Sortables {
  const attributes = findAttributes(resource);
  const inside = (attributes?.properties ?? []).map(
    (member) => [member, { property: attributes?.property ?? '', member }] as const,
  );
  const own = resource.properties.map((property) => [property, { property }] as const);
  return { byName: new Map<string, Sortable>([...inside, ...own]), key: resource.key };
}

/** Reads the sort terms of a list. Throws a 400 Problem for an unknown property. */
type ReadSort = (source: ListSource) => readonly SortTerm[];

/** Builds the reader of sort terms. A direction alone reverses the order of creation. */
export function buildReadSort(
  { sort, direction }: Pick<ListParameters, 'sort' | 'direction'>,
  sortables: Sortables,
): ReadSort {
  const readDirection = direction && buildReadValue(direction);
  const isDescending = (source: ListSource) => /^desc/i.test(String(readDirection?.(source) ?? ''));
  if (sort) {
    const readSort = buildReadValue(sort);
    return (source) => {
      const value = readSort(source);
      if (value === undefined || value === '') return UNSORTED;
      return toSort({ sort, value, descending: isDescending(source) }, sortables);
    };
  }
  const created = readDirection && findCreation(sortables);
  if (created === undefined) return () => UNSORTED;
  const term = { ...(sortables.byName.get(created) ?? { property: created }), descending: true };
  return (source) => (isDescending(source) ? [term] : UNSORTED);
}

const UNSORTED: readonly SortTerm[] = [];

/** The value of a sort parameter, and whether another parameter turns its order around. */
interface SortRequest {
  readonly sort: ListInput;
  readonly value: unknown;
  readonly descending: boolean;
}

function toSort({ sort, value, descending }: SortRequest, { byName, key }: Sortables): SortTerm[] {
  const nameOf = indexNames(byName.keys());
  // A second term for a property has no effect, but would be compared each time.
  const byProperty = new Map<string, SortTerm>();
  // An array parameter has one term or several in each item.
  const items = [value].flat().map((item) => toSortTerms(String(item)));
  for (const term of withDirections(items, nameOf)) {
    const found = findTerm(term, nameOf) ?? findAge(term, { byName, key });
    // The document may declare orders that are not properties, like `relevance`, and tools fill objects with made-up members.
    // Neither changes the order.
    if (found === undefined && (hasEnum(sort) || sort.path || isDefault(sort, value))) continue;
    if (found === undefined) throw unknownSort(sort.name, term.property, [...byName.keys()]);
    const { property: name } = found;
    const target = byName.get(name) ?? { property: name };
    if (!byProperty.has(name))
      byProperty.set(name, { ...target, descending: found.descending || descending });
  }
  return [...byProperty.values()];
}

/** The term of an order by age: `newest`. */
function findAge({ property }: SortTerm, sortables: Sortables): SortTerm | undefined {
  const age = AGE.exec(toSnake(property));
  const created = age ? findCreation(sortables) : undefined;
  return created === undefined ? undefined : { property: created, descending: age?.[2] === undefined };
}

const AGE = /^(?:(new|newest|latest|recent|most_recent)|(oldest))(?:_first)?$/;

/** Finds the sort key that follows the order of creation: a time, or a number that counts up. */
function findCreation({ byName, key }: Sortables): string | undefined {
  const created = [...byName.keys()].find((name) => isCreationTime(toSnake(name)));
  return created ?? (key?.type === 'integer' ? key.property : undefined);
}

type NameOf = (wanted: string) => string | undefined;

/** Gives terms the direction that follows them as a term of its own: `name,desc`, in one item or in an item of its own. */
function withDirections(items: readonly (readonly SortTerm[])[], nameOf: NameOf): SortTerm[] {
  const isDirection = ({ property }: SortTerm) => DIRECTION.test(property) && nameOf(property) === undefined;
  const found: SortTerm[] = [];
  let around = false;
  for (const terms of items.toReversed()) {
    let descending: boolean = around;
    for (const term of terms.toReversed()) {
      if (!isDirection(term)) found.push({ ...term, descending: term.descending || descending });
      else descending = /^desc/i.test(term.property);
    }
    if (terms.every(isDirection)) around = descending;
  }
  return found.reverse();
}

const DIRECTION = /^(asc|desc|ascending|descending)$/i;

/** The property of a term, which may have its direction in its name: `price_asc`, `priceDesc`. */
function findTerm({ property, descending }: SortTerm, nameOf: NameOf): SortTerm | undefined {
  const own = nameOf(property);
  if (own !== undefined) return { property: own, descending };
  const end = DIRECTION_END.exec(property);
  const base = end ? nameOf(property.slice(0, end.index)) : undefined;
  if (base === undefined) return undefined;
  return { property: base, descending: descending || /^[_-]?desc/i.test(end?.[0] ?? '') };
}

const DIRECTION_END = /[_-]?(asc|desc|ascending|descending)$/i;

/** Whether a value comes from the document itself, so that no client can correct it. */
function isDefault({ schema }: ListInput, value: unknown): boolean {
  return value === schema.keywords.default;
}

function hasEnum({ schema }: ListInput): boolean {
  return [schema, schema.items].some((each) => each?.keywords.enum !== undefined);
}

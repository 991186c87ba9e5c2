import { findAttributes, indexNames, type Resource } from '../resources/resources.ts';
import type { ListInput } from './list-inputs.ts';
import { type SortTerm, toSortTerms, unknownSort } from './query.ts';

/** The value of a sort parameter, and whether another parameter turns its order around. */
interface SortRequest {
  readonly sort: ListInput;
  readonly value: unknown;
  readonly descending: boolean;
}

/** What entities are sorted by: a property, or a member of the object there. */
export type Sortable = Pick<SortTerm, 'property' | 'member'>;

/** What the entities of a resource can be sorted by. An attribute goes by its own name. */
export function buildSortable(resource: Resource): Map<string, Sortable> {
  const attributes = findAttributes(resource);
  const inside = (attributes?.properties ?? []).map(
    (member) => [member, { property: attributes?.property ?? '', member }] as const,
  );
  return new Map<string, Sortable>([
    ...inside,
    ...resource.properties.map((property) => [property, { property }] as const),
  ]);
}

/** The terms by which a list is sorted. Throws a 400 Problem for an unknown property. */
export function toSort(
  { sort, value, descending }: SortRequest,
  sortable: ReadonlyMap<string, Sortable>,
): SortTerm[] {
  if (value === undefined || value === '') return [];
  const nameOf = indexNames(sortable.keys());
  // A second term for a property decides nothing, but would be compared each time.
  const byProperty = new Map<string, SortTerm>();
  // An array parameter has one term or several in each item.
  const items = [value].flat().map((item) => toSortTerms(String(item)));
  for (const term of withDirections(items, nameOf)) {
    const found = findTerm(term, nameOf);
    // The document may declare orders that are not properties, like `newest`, and tools fill objects with made-up members.
    // Both leave the order as it is.
    if (found === undefined && (hasEnum(sort) || sort.path)) continue;
    if (found === undefined) throw unknownSort(sort.name, term.property, [...sortable.keys()]);
    const { property: name } = found;
    const target = sortable.get(name) ?? { property: name };
    if (!byProperty.has(name))
      byProperty.set(name, { ...target, descending: found.descending || descending });
  }
  return [...byProperty.values()];
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

function hasEnum({ schema }: ListInput): boolean {
  return [schema, schema.items].some((each) => each?.keywords.enum !== undefined);
}

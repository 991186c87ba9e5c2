import type { Resource } from '../resources/resources.ts';
import { indexNames, toSnake } from '../resources/resources.ts';
import { isCreationTime } from './fresh.ts';
import type { ListInput } from './list-inputs.ts';
import type { ListParameters } from './list-parameters.ts';
import { type SortTerm, toSortTerms, unknownSort } from './query.ts';

/** The properties and the key of the entities of a list. */
type Sorted = Pick<Resource, 'properties' | 'key'>;

/**
 * The terms by which the values of its parameters sort a list. A direction alone turns the order of creation around. Throws a 400
 * Problem for an unknown property.
 */
export function toListSort(
  { sort, direction }: Pick<ListParameters, 'sort' | 'direction'>,
  read: (input: ListInput) => unknown,
  resource: Sorted,
): SortTerm[] {
  const descending = direction !== undefined && /^desc/i.test(String(read(direction) ?? ''));
  if (sort) return toSort({ sort, value: read(sort), descending }, resource);
  const created = descending ? findCreation(resource) : undefined;
  return created === undefined ? [] : [{ property: created, descending }];
}

/** The value of a sort parameter, and whether another parameter turns its order around. */
interface SortRequest {
  readonly sort: ListInput;
  readonly value: unknown;
  readonly descending: boolean;
}

function toSort({ sort, value, descending }: SortRequest, resource: Sorted): SortTerm[] {
  if (value === undefined || value === '') return [];
  const { properties } = resource;
  const nameOf = indexNames(properties);
  // A second term for a property decides nothing, but would be compared each time.
  const byProperty = new Map<string, SortTerm>();
  // An array parameter has one term or several in each item.
  const items = [value].flat().map((item) => toSortTerms(String(item)));
  for (const term of withDirections(items, nameOf)) {
    const found = findTerm(term, nameOf) ?? findAge(term, resource);
    // The document may declare orders that are not properties, like `relevance`, and tools fill objects with made-up members.
    // These leave the order as it is.
    if (found === undefined && (hasEnum(sort) || sort.path || isDefault(sort, value))) continue;
    if (found === undefined) throw unknownSort(sort.name, term.property, properties);
    const { property } = found;
    if (!byProperty.has(property))
      byProperty.set(property, { property, descending: found.descending || descending });
  }
  return [...byProperty.values()];
}

/** The term of an order by age: `newest`. */
function findAge({ property }: SortTerm, resource: Sorted): SortTerm | undefined {
  const age = AGE.exec(toSnake(property));
  const created = age ? findCreation(resource) : undefined;
  return created === undefined ? undefined : { property: created, descending: age?.[2] === undefined };
}

const AGE = /^(?:(new|newest|latest|recent|most_recent)|(oldest))(?:_first)?$/;

/** The property that says when an entity was created, or numbers the entities. */
function findCreation({ properties, key }: Sorted): string | undefined {
  const created = properties.find((name) => isCreationTime(toSnake(name)));
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

/** Whether a value is the document's own, which no client can correct. */
function isDefault({ schema }: ListInput, value: unknown): boolean {
  return value === schema.keywords.default;
}

function hasEnum({ schema }: ListInput): boolean {
  return [schema, schema.items].some((each) => each?.keywords.enum !== undefined);
}

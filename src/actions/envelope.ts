import { toSnake } from '../resources/resources.ts';
import {
  isNullable,
  isObject,
  resolveReference,
  type Schema,
  schemaProperties,
  schemaRequired,
  schemaTypes,
} from '../schema/schema.ts';
import { type Pages, toCursor, toStarts } from './paging.ts';

/** What is known of the page that an answer shows. */
export interface PageFacts extends Pages {
  /** How many entities are on it. */
  readonly count: number;
  readonly path: string;
  /** The scheme and host that the client asked, for links that stand by themselves. */
  readonly origin: string;
}

/** Puts a list into the object that the document has around it, its paging members filled in. */
export type WrapList = (items: readonly unknown[], facts: PageFacts) => unknown;

/**
 * Builds the object around a list. `path` leads to the list in it; `base` is a valid object of the kind, from which the members
 * come that say nothing about pages.
 */
export function buildListWrapper(
  root: unknown,
  schema: Schema,
  path: readonly string[],
  base: unknown,
): WrapList {
  if (path.length === 0) return (items) => items;
  const members = findMembers(root, schema, { list: path, path: [] });
  return (items, facts) => {
    const filled = members.reduce<unknown>((value, member) => fill(value, member, facts), base);
    return withMember(filled, path, items);
  };
}

/** The value with another one at a place in it. What is on the way and no object is made one. */
export function withMember(value: unknown, [name, ...rest]: readonly string[], member: unknown): unknown {
  if (name === undefined) return member;
  const object = isObject(value) && !Array.isArray(value) ? value : {};
  // Spreading and a computed name keep `__proto__` an ordinary member.
  return {
    ...object,
    [name]: withMember(Object.hasOwn(object, name) ? object[name] : undefined, rest, member),
  };
}

/** A member of the object that says something about the page. */
interface Member {
  readonly path: readonly string[];
  readonly role: Role;
  readonly types: readonly string[];
  readonly nullable: boolean;
  readonly required: boolean;
  readonly format: unknown;
}

type Role = (facts: PageFacts, types: readonly string[]) => unknown;

const starts =
  (relation: 'first' | 'prev' | 'next' | 'last'): Role =>
  (facts, types) => {
    const start = toStarts(facts)[relation];
    if (start === undefined) return undefined;
    if (!types.includes('string')) return facts.number(start);
    const query = facts.query(start);
    return query === undefined ? undefined : `${facts.origin}${facts.path}?${query}`;
  };

/** What the usual members say, by their names in snake_case. */
const ROLES: readonly (readonly [name: RegExp, role: Role])[] = [
  [
    /^(total|(total|full)_(count|items|results|elements|records|entries|rows)|count|total_size|num_found)$/,
    ({ total }) => total,
  ],
  [
    /^(number_of_elements|item_count|page_count_items|returned|result_count|count_on_page)$/,
    ({ count }) => count,
  ],
  [/^(limit|per_page|page_?size|size|page_limit|items_per_page|take)$/, ({ limit }) => limit],
  [/^(offset|skip|start|start_index|from)$/, ({ offset }) => offset],
  [/^(page|current_page|page_?number|page_index|number)$/, ({ number, offset }) => number(offset)],
  [
    /^(pages|total_pages|page_count|last_page|num_pages)$/,
    ({ total, limit }) => Math.max(1, Math.ceil(total / Math.max(1, limit))),
  ],
  [/^(has_?more|has_?next(_?page)?|more)$/, ({ offset, count, total }) => offset + count < total],
  [/^(has_?prev(ious)?(_?page)?)$/, ({ offset }) => offset > 0],
  [
    /^(next_(cursor|page_token|token)|end_cursor|next_page_cursor|continuation_token|cursor)$/,
    (facts) => cursorTo(facts, 'next'),
  ],
  [/^(prev(ious)?_(cursor|page_token|token)|start_cursor)$/, (facts) => cursorTo(facts, 'prev')],
  [/^next(_(page|url|link|page_url|href))?$/, starts('next')],
  [/^prev(ious)?(_(page|url|link|page_url|href))?$/, starts('prev')],
  [/^first(_(page|url|link|page_url))?$/, starts('first')],
  [/^last(_(url|link|page_url))?$/, starts('last')],
  [/^self$/, (facts) => withQuery(facts)],
];

function cursorTo(facts: PageFacts, relation: 'next' | 'prev'): string | undefined {
  const start = toStarts(facts)[relation];
  // Where no parameter leads on, a cursor would lead nowhere.
  return start === undefined || facts.query(start) === undefined ? undefined : toCursor(start);
}

function withQuery(facts: PageFacts): string {
  const query = facts.query(facts.offset);
  const path = facts.origin + facts.path;
  return query === undefined ? path : `${path}?${query}`;
}

const DEPTH = 3;

interface Place {
  /** The way to the list. */
  readonly list: readonly string[];
  readonly path: readonly string[];
}

function findMembers(root: unknown, schema: unknown, { list, path }: Place): Member[] {
  const required = schemaRequired(root, schema);
  return [...schemaProperties(root, schema)].flatMap(([name, node]) => {
    const own = [...path, name];
    if (own.join('/') === list.join('/')) return [];
    const types = schemaTypes(root, node);
    if (types.includes('object'))
      return path.length < DEPTH ? findMembers(root, node, { list, path: own }) : [];
    const role = findRole(own, list.at(-1) ?? '');
    if (!role) return [];
    const resolved = resolveReference(root, node) as Schema;
    return [
      {
        path: own,
        role,
        types,
        nullable: isNullable(root, node),
        required: required.includes(name),
        format: resolved.format,
      },
    ];
  });
}

/** What a member says by its name; a link that is an object (`next: { href }`) has its name from that. */
function findRole(path: readonly string[], list: string): Role | undefined {
  const [name = '', owner = ''] = path.map(toSnake).toReversed();
  const said = /^(href|url)$/.test(name) ? owner : name;
  const counts = new RegExp(`^(${toSnake(list)}_(count|total)|total_${toSnake(list)})$`);
  if (list !== '' && counts.test(said)) return ({ total }) => total;
  return ROLES.find(([pattern]) => pattern.test(said))?.[1];
}

/** Sets a member to what it says of this page, if that is of its type; what there is nothing to say of is left out. */
function fill(value: unknown, member: Member, facts: PageFacts): unknown {
  const { path, role, types, nullable, required, format } = member;
  const found = role(facts, types);
  if (found !== undefined && fits(found, types)) return withMember(value, path, found);
  if (found !== undefined) return types.includes('string') ? withMember(value, path, String(found)) : value;
  if (nullable) return withMember(value, path, null);
  if (!required) return withoutMember(value, path);
  return types.includes('string') && format === undefined ? withMember(value, path, '') : value;
}

function fits(value: unknown, types: readonly string[]): boolean {
  if (types.length === 0) return true;
  const type = typeof value;
  return types.includes(type) || (type === 'number' && types.includes('integer'));
}

function withoutMember(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (!isObject(value) || name === undefined || !Object.hasOwn(value, name)) return value;
  if (rest.length > 0) return { ...value, [name]: withoutMember(value[name], rest) };
  return Object.fromEntries(Object.entries(value).filter(([each]) => each !== name));
}

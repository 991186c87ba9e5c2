import { findSelfLink, type SelfLink, toSnake } from '../../model/resources/resources.ts';
import { isObject, type SchemaNode } from '../../schema/schema.ts';
import type { LongList } from '../../wire/codecs/codecs.ts';
import { omit, withMember } from './json-object.ts';
import { type Pages, toCursor, toStarts } from './paging.ts';

/** A page as an answer shows it. */
interface PageFacts extends Pages {
  /** How many items are on it. */
  readonly count: number;
  readonly path: string;
  /** The scheme and host of the request, for absolute links. */
  readonly origin: string;
}

/** The items of a list as an answer shows them. */
export type ListItems = readonly unknown[] | LongList;

/** Puts a list into its envelope, and fills in the paging members there. */
export type WrapList = (items: ListItems, facts: PageFacts) => unknown;

/** Builds the envelope of a list, which stands at `path` in it. Members that are not about pages come from `base`, a valid envelope. */
export function buildListWrapper(schema: SchemaNode, path: readonly string[], base: unknown): WrapList {
  if (path.length === 0) return (items) => items;
  const members = findMembers(schema, path);
  const links = findOpenLinks(schema);
  return (items, facts) => {
    const linked = links ? withMember(base, [links.property], toLinks(links, facts)) : base;
    const filled = members.reduce<unknown>((value, member) => fillMember(value, member, facts), linked);
    return withMember(filled, path, items);
  };
}

/** Finds the links of an envelope where the document names no relations. */
function findOpenLinks(schema: SchemaNode): SelfLink | undefined {
  const found = findSelfLink(schema);
  const member = found && schema.at([found.property]);
  const { required = [] } = member?.items ?? member?.additionalProperties ?? {};
  return found?.isOpen && required.every((name) => LINK_MEMBERS.has(name)) ? found : undefined;
}

const LINK_MEMBERS: ReadonlySet<string> = new Set(['rel', 'href']);

/** Links to the current page and to the other pages that exist. */
function toLinks({ form, isObject: hasHref }: SelfLink, facts: PageFacts): unknown {
  const relations = ['first', 'prev', 'self', 'next', 'last'].flatMap((name) => {
    const target = findPageValue([name], '')?.(facts, ['string']);
    return target === undefined ? [] : [[name, target] as const];
  });
  if (form === 'list') return relations.map(([rel, href]) => ({ rel, href }));
  return Object.fromEntries(relations.map(([rel, href]) => [rel, hasHref ? { href } : href]));
}

/** A member of an envelope that is about the page. */
interface EnvelopeMember {
  readonly path: readonly string[];
  readonly toValue: PageValue;
  readonly types: readonly string[];
  readonly nullable: boolean;
  readonly required: boolean;
  readonly format: unknown;
}

/** The value of a member for a page; `undefined` where the page has none. */
type PageValue = (facts: PageFacts, types: readonly string[]) => unknown;

const linkTo =
  (relation: 'first' | 'prev' | 'next' | 'last'): PageValue =>
  (facts, types) => {
    const start = toStarts(facts)[relation];
    if (start === undefined) return undefined;
    return types.includes('string') ? toPageUrl(facts, start) : facts.number(start);
  };

function toPageUrl({ origin, path, query }: PageFacts, start: number): string | undefined {
  const search = query(start);
  return search === undefined ? undefined : `${origin}${path}?${search}`;
}

/** The values of the usual members, by their names in snake_case. */
const PAGE_VALUES: readonly (readonly [name: RegExp, toValue: PageValue])[] = [
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
  [/^next(_(page|url|link|page_url|href))?$/, linkTo('next')],
  [/^prev(ious)?(_(page|url|link|page_url|href))?$/, linkTo('prev')],
  [/^first(_(page|url|link|page_url))?$/, linkTo('first')],
  [/^last(_(url|link|page_url))?$/, linkTo('last')],
  [/^self$/, (facts) => toPageUrl(facts, facts.offset) ?? facts.origin + facts.path],
];

function cursorTo(facts: PageFacts, relation: 'next' | 'prev'): string | undefined {
  const start = toStarts(facts)[relation];
  // Without a parameter that takes it, a cursor would lead nowhere.
  return start === undefined || facts.query(start) === undefined ? undefined : toCursor(start);
}

const MAX_ENVELOPE_DEPTH = 3;

function findMembers(
  schema: SchemaNode,
  list: readonly string[],
  path: readonly string[] = [],
): EnvelopeMember[] {
  return [...schema.properties].flatMap(([name, node]) => {
    const own = [...path, name];
    if (own.join('/') === list.join('/')) return [];
    const { types, isNullable: nullable } = node;
    if (types.includes('object')) return path.length < MAX_ENVELOPE_DEPTH ? findMembers(node, list, own) : [];
    const toValue = findPageValue(own, list.at(-1) ?? '');
    if (!toValue) return [];
    const required = schema.required.includes(name);
    return [{ path: own, toValue, types, nullable, required, format: node.keywords.format }];
  });
}

/** The value that a member's name stands for. The `href` of a link object (`next: { href }`) goes by the name of the object. */
function findPageValue(path: readonly string[], list: string): PageValue | undefined {
  const [name = '', owner = ''] = path.map(toSnake).toReversed();
  const meaning = /^(href|url)$/.test(name) ? owner : name;
  const counts = new RegExp(`^(${toSnake(list)}_(count|total)|total_${toSnake(list)})$`);
  if (list !== '' && counts.test(meaning)) return ({ total }) => total;
  return PAGE_VALUES.find(([pattern]) => pattern.test(meaning))?.[1];
}

/** Sets a member to its value for this page, if that is of its type. A member without a value becomes null or empty, or is left out. */
function fillMember(value: unknown, member: EnvelopeMember, facts: PageFacts): unknown {
  const { path, toValue, types, nullable, required, format } = member;
  const found = toValue(facts, types);
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
  return omit(value, [name]);
}

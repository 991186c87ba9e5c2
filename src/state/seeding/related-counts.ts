import { toSingular } from '../../model/resources/resources.ts';
import { isNumeric } from '../../schema/schema.ts';
import { isLine } from './related-totals.ts';
import { type Member, NO_CHANGES, type Relation } from './relation.ts';

/** Makes a count the length of the list beside it: `comments_count` and `numComments` of `comments`. */
export const relateCounts: Relation = (members) => {
  const lists = new Map(members.filter(isList).map(({ key, name }) => [toSingular(name), key]));
  if (lists.size === 0) return undefined;
  const pairs = members
    .filter(({ schema }) => isNumeric(schema))
    .flatMap(({ key, name }) => {
      const list = lists.get(toSingular(toCounted(name)));
      return list === undefined ? [] : [[key, list] as const];
    });
  if (pairs.length === 0) return undefined;
  return (object, isFree) =>
    pairs.flatMap(([key, list]) => {
      const items = object[list];
      const isWrong = Array.isArray(items) && typeof object[key] === 'number' && object[key] !== items.length;
      return isWrong && isFree(key) ? [[key, items.length] as const] : [];
    });
};

/** Returns the plural that a count is named after; empty for any other name. */
function toCounted(name: string): string {
  return COUNTED.map((pattern) => pattern.exec(name)?.[1]).find((found) => found !== undefined) ?? '';
}

const COUNTED = [/^(?:num|number_of|no_of|count_of|total)_(.+?)(?:_count)?$/, /^(.+)_count$/];

/** Names that identify an entity. A page has none of them, but a book with `pages` does. */
const IDENTIFYING = /^(_?id|uuid|slug|name|title|number|code)$/;

/**
 * Makes an object describe the only page of its list: the total is the length of the list, and no other page exists. An object is a page
 * if it has one list of objects and a member about pages.
 */
export const relatePages: Relation = (members) => {
  const [list, ...others] = members.filter((member) => isList(member) && hasObjects(member));
  const totals = members.filter((member) => isNumeric(member.schema) && TOTAL_COUNT.test(member.name));
  const pages = members.flatMap(({ key, name }) => {
    const found = PAGE_MEMBERS.find(([pattern]) => pattern.test(name));
    return found ? [[key, found[1]] as const] : [];
  });
  const isEntity = members.some(({ name }) => IDENTIFYING.test(name));
  if (!list || others.length > 0 || isEntity || totals.length + pages.length === 0) return undefined;
  return (object, isFree) => {
    const items = object[list.key];
    if (!Array.isArray(items)) return NO_CHANGES;
    // The `total` of an order is a sum.
    const counts = pages.length > 0 || !items.some(isLine) ? totals : [];
    const wanted = [...counts.map(({ key }) => [key, items.length] as const), ...pages];
    return wanted.filter(
      ([key, value]) => typeof object[key] === typeof value && object[key] !== value && isFree(key),
    );
  };
};

const TOTAL_COUNT =
  /^(total|count|total_?(count|items|results|elements|records)|num(ber_of)?_?(results|elements))$/;

const PAGE_MEMBERS: readonly (readonly [name: RegExp, value: unknown])[] = [
  [/^(current_page|page|page_no|page_num(ber)?|total_?pages|page_count|last_page|pages)$/, 1],
  [/^(offset|skip)$/, 0],
  [/^(has_(more|next|prev(ious)?)(_page)?)$/, false],
];

function isList({ schema }: Member): boolean {
  return schema.types.includes('array');
}

function hasObjects({ schema: { items } }: Member): boolean {
  return items !== undefined && (items.types.includes('object') || items.allProperties.size > 0);
}

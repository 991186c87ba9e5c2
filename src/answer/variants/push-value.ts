import type { SchemaNode } from '../../schema/schema.ts';
import type { Facts } from './find-facts.ts';
import {
  isErrorFactName,
  isKeyListName,
  isMoreName,
  isPageMemberName,
  isReferenceName,
  isTimeName,
  isTotalName,
} from './names.ts';
import { pushScalar } from './push-scalar.ts';
import { PUNCTUATION } from './value-maker.ts';
import { isMembers, type Members, type Place, type Walk } from './walk.ts';

/** Deeper values stay as they are. */
const DEEPEST = 50;

/** Pushes a value to the extreme of the walk, without a look at whether the result is valid. */
export function pushValue(walk: Walk, node: SchemaNode, value: unknown, place: Place): unknown {
  if (value === null || value === undefined || place.depth > DEEPEST) return value;
  const facts = walk.findFacts(node, value);
  if (Array.isArray(value)) return pushList(walk, facts, value, place);
  if (isMembers(value)) return pushMembers(walk, facts, value, place);
  if (typeof value === 'number' && walk.isError) return value;
  return pushScalar(value, facts.definitions, walk.variant, walk.room);
}

function pushList(
  walk: Walk,
  { items, definitions }: Facts,
  value: readonly unknown[],
  place: Place,
): readonly unknown[] {
  if (!items) return value;
  const least = Math.max(0, ...definitions.map(({ minItems }) => Number(minItems ?? 0)));
  const kept = walk.variant === 'empty' ? value.slice(0, least) : value;
  const inside = { depth: place.depth + 1, isEnvelope: false };
  const pushed = kept.map((item, index) =>
    walk.maker.withShare(kept.length - index, () => pushValue(walk, items, item, inside)),
  );
  // The items of a list that the client asked for stay the same ones.
  const isOwn = place.depth > 0 && !place.isEnvelope;
  return walk.variant === 'maximal' && isOwn
    ? [...pushed, ...makeItems(walk, items, kept, definitions)]
    : pushed;
}

/** The length of a list without a limit, and of any list. */
const USUAL_ITEMS = 3;
const MOST_ITEMS = 10;

function makeItems(
  { maker }: Walk,
  items: SchemaNode,
  { length }: readonly unknown[],
  definitions: Facts['definitions'],
): unknown[] {
  const limits = definitions.flatMap(({ maxItems }) => (maxItems === undefined ? [] : [Number(maxItems)]));
  const most = Math.min(MOST_ITEMS, ...(limits.length > 0 ? limits : [USUAL_ITEMS]));
  return Array.from({ length: Math.max(0, most - length) }, () => maker.make(items, 'item')).filter(
    (item) => item !== undefined,
  );
}

function pushMembers(walk: Walk, facts: Facts, value: Members, place: Place): Members {
  const isMap = isMapOf(facts);
  // An object of any members may still be an entity, which has a key.
  if (isMap && walk.variant === 'empty' && !Object.keys(value).some(walk.isKey)) return {};
  const inside = { depth: place.depth + 1, isEnvelope: place.isEnvelope };
  const entries = Object.entries(value).flatMap(([name, member]) => {
    if (walk.variant === 'minimal' && !isMap && isLeftOut(walk, facts, name, member, place)) return [];
    const node = facts.members.get(name) ?? facts.others;
    return [[name, node ? pushMember(walk, facts, node, name, member, inside) : member] as const];
  });
  return Object.fromEntries([...entries, ...addMembers(walk, facts, value, place)]);
}

/** Whether an object has members of any name, and none by name. */
function isMapOf({ members, definitions, others }: Facts): boolean {
  const isObject = definitions.some(({ type }) => [type].flat().includes('object'));
  return members.size === 0 && (isObject || others !== undefined);
}

/** Whether the smallest form of an object does without a member. The list stays in its envelope. */
function isLeftOut(walk: Walk, facts: Facts, name: string, member: unknown, { isEnvelope }: Place): boolean {
  if (facts.required.has(name) || facts.members.size === 0) return false;
  if (isEnvelope && (Array.isArray(member) || isMembers(member))) return false;
  return !walk.isKey(name) && !facts.discriminators.has(name);
}

function pushMember(
  walk: Walk,
  facts: Facts,
  node: SchemaNode,
  name: string,
  member: unknown,
  place: Place,
): unknown {
  const isPaging = place.isEnvelope && isPageMemberName(name);
  if (isPaging && (typeof member !== 'object' || member === null))
    return walk.variant === 'empty' ? emptyPageMember(name, member) : member;
  if (walk.isKey(name) || facts.discriminators.has(name)) return member;
  const isKept = isPaging || (place.isEnvelope && Array.isArray(member));
  if (walk.variant === 'null' && !isKept && node.isNullable) return null;
  return isForPrograms(walk, name, member) ? member : pushValue(walk, node, member, place);
}

/** Whether people do not read a member. The members of an object have names of their own. */
function isForPrograms({ variant, isError }: Walk, name: string, member: unknown): boolean {
  if (isMembers(member) || (Array.isArray(member) && member.some(isMembers))) return false;
  // Nobody follows a link that is not there.
  if (variant === 'empty' && Array.isArray(member)) return isKeyListName(name);
  if (typeof member === 'number' && isTimeName(name)) return true;
  return isReferenceName(name) || (isError && isErrorFactName(name));
}

function emptyPageMember(name: string, member: unknown): unknown {
  if (typeof member === 'number' && isTotalName(name)) return 0;
  return typeof member === 'boolean' && isMoreName(name) ? false : member;
}

/** The declared members that a value lacks, as far as the variant shows them. */
function addMembers(walk: Walk, facts: Facts, value: Members, { isEnvelope }: Place): [string, unknown][] {
  const { variant, maker } = walk;
  if (variant !== 'maximal' && variant !== 'null') return [];
  const missing = [...facts.shown].filter(
    ([name]) =>
      !Object.hasOwn(value, name) &&
      // A made-up link would lead nowhere.
      !(isEnvelope && isPageMemberName(name)),
  );
  return missing.flatMap(([name, node]): [string, unknown][] => {
    const added = variant === 'null' ? addNull(walk, node, name) : maker.make(node, name);
    return added === undefined ? [] : [[name, added]];
  });
}

/** Null for a member that may be null and does not name its object. */
function addNull({ isKey, maker }: Walk, node: SchemaNode, name: string): null | undefined {
  if (!node.isNullable || isKey(name)) return undefined;
  return maker.spend(name.length + NULL_LENGTH) ? null : undefined;
}

const NULL_LENGTH = 'null'.length + PUNCTUATION;

import type { SchemaNode } from '../../schema/schema.ts';
import { isMembers, type Members, type Walk } from './walk.ts';

/** Counts the checks that an answer may still cost. */
interface Checks {
  left: number;
}

const MOST_CHECKS = 20_000;
/** Objects with more changed members keep their former ones. */
const MOST_MEMBERS = 500;

/** The pushed value, where a part that makes it invalid is the former one again: a member, an item, at worst all of it. */
export function keepValid(walk: Walk, node: SchemaNode, former: unknown, pushed: unknown): unknown {
  return keepPart(walk, node, former, pushed, { left: MOST_CHECKS });
}

function keepPart(walk: Walk, node: SchemaNode, former: unknown, pushed: unknown, checks: Checks): unknown {
  if (pushed === former || isValid(walk, node, pushed, checks)) return pushed;
  if (checks.left <= 0) return former;
  if (Array.isArray(former) && Array.isArray(pushed)) return keepItems(walk, node, former, pushed, checks);
  if (isMembers(former) && isMembers(pushed)) return keepMembers(walk, node, former, pushed, checks);
  return former;
}

function isValid(walk: Walk, node: SchemaNode, value: unknown, checks: Checks): boolean {
  checks.left -= 1;
  return checks.left >= 0 && walk.isValid(node, value);
}

function keepItems(
  walk: Walk,
  node: SchemaNode,
  former: readonly unknown[],
  pushed: readonly unknown[],
  checks: Checks,
): unknown {
  const { items } = walk.findFacts(node, former);
  if (!items) return former;
  const own = pushed
    .slice(0, former.length)
    .map((item, index) => keepPart(walk, items, former[index], item, checks));
  return isValid(walk, node, own, checks) ? own : former;
}

function keepMembers(
  walk: Walk,
  node: SchemaNode,
  former: Members,
  pushed: Members,
  checks: Checks,
): unknown {
  const { members, others } = walk.findFacts(node, former);
  const entries = Object.entries(pushed).flatMap(([name, member]): [string, unknown][] => {
    const own = members.get(name) ?? others;
    if (!own) return [[name, member]];
    if (Object.hasOwn(former, name)) return [[name, keepPart(walk, own, former[name], member, checks)]];
    return isValid(walk, own, member, checks) ? [[name, member]] : [];
  });
  const whole = Object.fromEntries(entries);
  return isValid(walk, node, whole, checks) ? whole : changeEach(walk, node, former, whole, checks);
}

/** The former object with as many changes as it can take, one after the other. */
function changeEach(walk: Walk, node: SchemaNode, former: Members, pushed: Members, checks: Checks): Members {
  const names = [...new Set([...Object.keys(former), ...Object.keys(pushed)])];
  const changed = names.filter((name) => former[name] !== pushed[name]);
  if (changed.length > MOST_MEMBERS) return former;
  return changed.reduce((value, name) => {
    const others = Object.entries(value).filter(([other]) => other !== name || Object.hasOwn(pushed, name));
    const entries = Object.hasOwn(pushed, name) ? [...others, [name, pushed[name]] as const] : others;
    const next = Object.fromEntries(entries);
    return isValid(walk, node, next, checks) ? next : value;
  }, former);
}

import { isMapping, type Mapping } from './mapping.ts';
import { referVariant, resolveQuietly } from './sanitize-reference.ts';
import type { Source } from './source.ts';
import { below, type Here, report, type Sanitize, toMistake } from './unit.ts';

/** A schema at its place: the whole, or a part of its `allOf`. */
interface Part {
  readonly node: Mapping;
  readonly here: Here;
}

/** The sanitizers of a schema's members, and of its keywords one by one. */
interface Sanitizers {
  readonly sanitize: Sanitize;
  readonly sanitizeKeywords: (node: Mapping, here: Here, sanitize: Sanitize) => Record<string, unknown>;
}

/**
 * Sanitizes a closed composition the way its author means it. Taken literally, `additionalProperties: false` in one part of an `allOf`
 * forbids the properties of the other parts. Instead, the whole allows the properties of all parts. `undefined` for any other schema.
 */
export function closeComposition(
  node: Mapping,
  here: Here,
  sanitizers: Sanitizers,
): Record<string, unknown> | undefined {
  const { closes } = here.walk;
  if (!Array.isArray(node.allOf) || !closes() || !hasClosedPart({ node, here })) return undefined;
  const parts = allOfParts({ node, here });
  const names = parts.map((part) => ({ part, own: namesIn(part) }));
  const all = new Set(names.flatMap(({ own }) => own));
  if (names.every(({ part, own }) => !isClosed(part) || new Set(own).size === all.size)) return undefined;
  const mistake = toMistake(below(here, 'allOf'), 'composition-closed', REASON, REMEDY);
  report(here.walk, 'changed', 'allOf', mistake);
  const { sanitize, sanitizeKeywords } = sanitizers;
  const open = openPart({ node, here }, sanitizers);
  return { ...open, allOf: [sanitizeKeywords(toClosing(all), here, sanitize), ...open.allOf] };
}

/** Whether a file may have a closed schema. Looking for one in its text is faster than following every `allOf`. */
export function mayClose({ text }: Source): boolean {
  return text === undefined || /additionalProperties["']?\s*:\s*(false|[*!])/i.test(text);
}

const REASON =
  '"additionalProperties: false" in one part would forbid the properties of the others, so it applies to all of them together';
const REMEDY = 'Remove it there, or repeat the properties of the other parts beside it.';

/** A schema and the nested parts of its `allOf`, each once. */
function allOfParts(part: Part, seen: Set<object> = new Set()): Part[] {
  if (seen.has(part.node)) return [];
  seen.add(part.node);
  return [part, ...listed(part, 'allOf').flatMap((each) => allOfParts(each, seen))];
}

/** The schemas in the list of a keyword, with their references followed. */
function listed({ node, here }: Part, keyword: string): Part[] {
  const list: unknown = node[keyword];
  if (!Array.isArray(list)) return [];
  return list.flatMap((each, index) => resolvePart(each, below(below(here, keyword), index)) ?? []);
}

function resolvePart(value: unknown, at: Here): Part | undefined {
  const found = resolveQuietly(value, at);
  return found && isMapping(found.node) ? { node: found.node, here: found.here } : undefined;
}

/** Whether a schema or a nested part of its `allOf` is closed. */
function hasClosedPart(part: Part): boolean {
  if (isClosed(part)) return true;
  const { node, here } = part;
  if (!Array.isArray(node.allOf)) return false;
  const { compositions } = here.walk;
  const known = compositions.get(node);
  if (known !== undefined) return known;
  // A composition that contains itself adds nothing.
  compositions.set(node, false);
  const found = listed(part, 'allOf').some(hasClosedPart);
  compositions.set(node, found);
  return found;
}

function isClosed({ node }: Part): boolean {
  return node.additionalProperties === false;
}

/** The properties and patterns that a part or one of its alternatives declares, each behind the name of its keyword. */
function namesIn(part: Part): string[] {
  const all = [part, ...listed(part, 'oneOf'), ...listed(part, 'anyOf')];
  return NAMING.flatMap((keyword) =>
    all.flatMap(({ node }) => {
      const members = node[keyword];
      return isMapping(members) ? Object.keys(members).map((name) => `${keyword} ${name}`) : [];
    }),
  );
}

const NAMING = ['properties', 'patternProperties'];

/** A schema that only forbids properties with other names. */
function toClosing(names: ReadonlySet<string>): Mapping {
  const membersOf = (keyword: string) =>
    [...names].flatMap((name) =>
      name.startsWith(`${keyword} `) ? [[name.slice(keyword.length + 1), {}] as const] : [],
    );
  const members = NAMING.map((keyword) => [keyword, Object.fromEntries(membersOf(keyword))]);
  return { ...Object.fromEntries(members), additionalProperties: false };
}

/** Sanitizes a part as if neither it nor a part of it were closed. `around` are the parts that contain it. */
function openPart({ node, here }: Part, sanitizers: Sanitizers, around: readonly object[] = []): OpenPart {
  const { allOf, additionalProperties, ...others } = node;
  const rest = additionalProperties === false ? others : { ...others, additionalProperties };
  const inside = [...around, node];
  return {
    ...sanitizers.sanitizeKeywords(rest, here, sanitizers.sanitize),
    allOf: (Array.isArray(allOf) ? allOf : []).flatMap((each: unknown, index) =>
      openMember(each, below(below(here, 'allOf'), index), sanitizers, inside),
    ),
  };
}

type OpenPart = Record<string, unknown> & { readonly allOf: readonly unknown[] };

/** Replaces the target of a reference by an open copy, because other references need it closed. */
function openMember(value: unknown, at: Here, sanitizers: Sanitizers, around: readonly object[]): unknown[] {
  const part = resolvePart(value, at);
  if (!part || around.includes(part.node) || !hasClosedPart(part)) {
    const sanitized = sanitizers.sanitize(value, 'schema', at);
    return sanitized === false ? [{ not: {} }] : isMapping(sanitized) ? [sanitized] : [];
  }
  const reference = (value as Mapping).$ref;
  if (typeof reference !== 'string') return [withoutEmptyList(openPart(part, sanitizers, around))];
  const open = (_: unknown, { unit }: Here) =>
    withoutEmptyList(openPart({ node: part.node, here: { ...part.here, unit } }, sanitizers));
  return [referVariant(reference, 'open', at, open)];
}

function withoutEmptyList({ allOf, ...others }: OpenPart): object {
  return allOf.length > 0 ? { ...others, allOf } : others;
}

import { enterScope, referInScope, resolveDynamic } from './dynamic-scope.ts';
import type { Kind, NodeLayout } from './format.ts';
import { isMapping, kindOf, type Mapping, mapMembers } from './mapping.ts';
import { sanitizeReference } from './sanitize-reference.ts';
import { sanitizeSchema } from './sanitize-schema.ts';
import { below, complain, type Here, ignore } from './unit.ts';

/**
 * Removes from a node whatever would break the conversion or a validator, copying only where something changes. Returns `undefined`
 * for a node that has to go. Null counts as a missing member.
 */
export function sanitize(node: unknown, kind: Kind, here: Here): unknown {
  if (kind === 'data') return node;
  if (kind === 'gone') return undefined;
  if (kind === 'schema') return sanitizeAnySchema(node, here);
  if (kind === 'mediaType') return isMediaType(node) ? node : unexpected(node, 'a media type', true, here);
  if (kind === 'text') return typeof node === 'string' ? node : unexpected(node, 'a string', true, here);
  return sanitizeLayout(node, kind, here.walk.format.layouts[kind], here);
}

function sanitizeAnySchema(node: unknown, here: Here): unknown {
  if (typeof node === 'boolean') return node;
  if (!isMapping(node)) return unexpected(node, 'a schema', true, here);
  return sanitizeOnce(node, 'schema', here, () => {
    const inside = enterScope(node, here);
    const { $dynamicRef } = node;
    if (typeof $dynamicRef === 'string') return sanitizeDynamic($dynamicRef, node, inside);
    return Object.hasOwn(node, '$ref')
      ? sanitizeReferring(node, inside)
      : sanitizeSchema(node, inside, sanitize);
  });
}

function sanitizeReferring(node: Mapping, here: Here): unknown {
  const { $ref, ...siblings } = node;
  const sanitized = sanitizeSchema(siblings, here, sanitize);
  if (typeof $ref !== 'string')
    return unexpected($ref, 'a reference', true, below(here, '$ref')) ?? sanitized;
  const result =
    referInScope($ref, here, sanitize) ?? sanitizeReference($ref, sanitized, 'schema', here, sanitize);
  return sanitized === siblings && isMapping(result) && result.$ref === $ref ? node : result;
}

/** Sanitizes a dynamic reference. Without a target it allows anything. */
function sanitizeDynamic(reference: string, { $dynamicRef, ...siblings }: Mapping, here: Here): unknown {
  const found = resolveDynamic(reference, here);
  if (!found) return sanitizeSchema(siblings, here, sanitize);
  return sanitizeReferring({ ...siblings, $ref: found.reference }, { ...here, source: found.source });
}

function sanitizeLayout(node: unknown, kind: Kind, layout: NodeLayout, here: Here): unknown {
  const { form, blank, spare = false } = layout;
  const value = blank ? (node ?? (form === 'list' ? [] : {})) : node;
  if (form === 'list') {
    if (!Array.isArray(value)) return unexpected(value, 'a list', spare, here);
    return sanitizeOnce(value, kind, here, () => sanitizeList(value, layout, here));
  }
  if (!isMapping(value)) return unexpected(value, 'a mapping', spare, here);
  return sanitizeOnce(value, kind, here, () => {
    const { $ref } = value;
    if (!layout.refers || $ref === undefined) return sanitizeMapping(value, kind, layout, here);
    if (typeof $ref === 'string') return sanitizeReference($ref, {}, kind, here, sanitize);
    return unexpected($ref, 'a reference', spare, below(here, '$ref'));
  });
}

function sanitizeList(items: readonly unknown[], { each = 'data', full }: NodeLayout, here: Here): unknown {
  const sanitized = items
    .map((item, index) => sanitize(item, each, below(here, index)))
    .filter((item) => item !== undefined);
  return full && sanitized.length === 0 ? undefined : sanitized;
}

function sanitizeMapping(node: Mapping, kind: Kind, layout: NodeLayout, here: Here): unknown {
  const sanitized = mapMembers(node, !here.source.isTree, (value, key) => {
    if (kind === 'contents' && !isContentKey(key, here)) return undefined;
    // An extension may hold anything, but the names of some headers and security schemes look like one.
    if (layout.each && kind !== 'requirement' && key.startsWith('x-') && !isMapping(value)) return undefined;
    if (layout.keywords?.has(key)) return undefined;
    const memberKind = layout.each ?? memberKindOf(layout, key);
    return memberKind === 'data' ? value : sanitize(value, memberKind, below(here, key));
  });
  const { keywords, members } = layout;
  const whole = keywords
    ? { ...sanitized, ...sanitizeSchema(pickKeywords(node, keywords), here, sanitize) }
    : sanitized;
  const joined = members?.examples ? joinExamples(whole) : whole;
  return FINISHERS[kind]?.(joined, here) ?? joined;
}

function isContentKey(key: string, here: Here): boolean {
  if (!isMediaType(key)) unexpected(key, 'a media type', true, below(here, key));
  return isMediaType(key);
}

function isMediaType(value: unknown): boolean {
  return typeof value === 'string' && value.includes('/');
}

function memberKindOf({ members }: NodeLayout, key: string): Kind {
  return members && Object.hasOwn(members, key) ? (members[key] ?? 'data') : 'data';
}

function pickKeywords(node: Mapping, keys: ReadonlySet<string>): Mapping {
  const entries = Object.entries(node).filter(([key]) => keys.has(key));
  // The type of an upload in Swagger.
  return {
    ...Object.fromEntries(entries),
    ...(node.type === 'file' && { type: 'string', format: 'binary' }),
  };
}

/** Moves an `example` to the named ones, in which the conversion does not mistake a `$ref` for a reference. */
function joinExamples(node: Mapping): Mapping {
  if (node.example === undefined) return node;
  const { example, ...others } = node;
  return { ...others, examples: { default: { value: example }, ...(others.examples as object | undefined) } };
}

/** The last steps for some kinds, after their members. */
const FINISHERS: Partial<Record<Kind, (copy: Mapping, here: Here) => unknown>> = {
  parameter(copy, here) {
    const { places } = here.walk.format;
    const { name, in: place } = copy;
    if (typeof name !== 'string')
      return complain(here, 'parameter-invalid', 'the parameter has no name', 'Give it a "name".');
    if (typeof place === 'string' && places.includes(place)) {
      // Prism fails for some styles of a parameter without a type.
      return copy.schema || copy.content || copy.type ? withSchema(copy) : { ...copy, schema: {} };
    }
    const remedy = `Set "in" to one of ${places.join(', ')}.`;
    return complain(here, 'parameter-invalid', `the parameter "${name}" has no valid "in"`, remedy);
  },
  header: (copy) => withSchema(copy),
  // OpenAPI 3.2 describes one item of a stream, which the conversion does not know.
  content: (copy) =>
    copy.itemSchema === undefined || copy.schema !== undefined
      ? copy
      : { ...copy, schema: { type: 'array', items: copy.itemSchema } },
};

/** Moves the schema out of the `content` of a parameter or header, where the conversion would miss it. */
function withSchema(copy: Mapping): Mapping {
  const [first] = Object.entries((copy.content ?? {}) as Record<string, Record<string, unknown>>);
  if (!first) return copy;
  const [mediaType, { schema, ...rest }] = first;
  return { ...copy, ...(schema !== undefined && { schema }), content: { [mediaType]: rest } };
}

function unexpected(node: unknown, wanted: string, spare: boolean, here: Here): undefined {
  if (node === undefined || node === null) return undefined;
  const reason = `expected ${wanted}, got ${kindOf(node)}`;
  return (spare ? ignore : complain)(here, 'type-unexpected', reason, 'Correct or remove it.');
}

/** Sanitizes a node once per unit. Data may occur in several places, but never within itself. */
function sanitizeOnce(node: object, kind: Kind, here: Here, make: () => unknown): unknown {
  if (here.source.isTree) return make();
  here.unit.seen ??= new Map();
  const seen = here.unit.seen.get(kind) ?? new Map<object, unknown>();
  here.unit.seen.set(kind, seen);
  if (seen.has(node)) {
    const known = seen.get(node);
    return known === IN_PROGRESS
      ? complain(here, 'node-circular', 'it contains itself', 'Refer to it with "$ref".')
      : known;
  }
  seen.set(node, IN_PROGRESS);
  const result = make();
  seen.set(node, result);
  return result;
}

const IN_PROGRESS = Symbol('in progress');

import { mapMembers } from './members.ts';
import { mendReference } from './mend-reference.ts';
import { mendSchema } from './mend-schema.ts';
import { isMapping, kindOf } from './note.ts';
import type { Kind, Shape } from './shapes.ts';
import { below, complain, type Here, ignore } from './unit.ts';

/**
 * What stands at a place of a document, copied where that takes a change, without anything that the conversion or a validator would
 * stumble over; `undefined` for what cannot stay. A member that is nothing is as good as not there.
 */
export function mend(node: unknown, kind: Kind, here: Here): unknown {
  if (kind === 'data') return node;
  if (kind === 'gone') return undefined;
  if (kind === 'schema') return mendAnySchema(node, here);
  if (kind === 'mediaType') return isMediaType(node) ? node : unexpected(node, 'a media type', true, here);
  if (kind === 'text') return typeof node === 'string' ? node : unexpected(node, 'a text', true, here);
  return mendShape(node, kind, here.walk.format.shapes[kind], here);
}

type Members = Readonly<Record<string, unknown>>;

function mendAnySchema(node: unknown, here: Here): unknown {
  if (typeof node === 'boolean') return node;
  if (!isMapping(node)) return unexpected(node, 'a schema', true, here);
  return once(node, 'schema', here, () => {
    if (!Object.hasOwn(node, '$ref')) return mendSchema(node, here, mend);
    const { $ref, ...siblings } = node;
    const mended = mendSchema(siblings, here, mend);
    if (typeof $ref !== 'string') return unexpected($ref, 'a reference', true, below(here, '$ref')) ?? mended;
    const made = mendReference($ref, mended, 'schema', here, mend);
    return mended === siblings && isMapping(made) && made.$ref === $ref ? node : made;
  });
}

function mendShape(node: unknown, kind: Kind, shape: Shape, here: Here): unknown {
  const { form, blank, spare = false } = shape;
  const value = blank ? (node ?? (form === 'list' ? [] : {})) : node;
  if (form === 'list') {
    if (!Array.isArray(value)) return unexpected(value, 'a list', spare, here);
    return once(value, kind, here, () => mendList(value, shape, here));
  }
  if (!isMapping(value)) return unexpected(value, 'a mapping', spare, here);
  return once(value, kind, here, () => {
    const { $ref } = value;
    if (!shape.refers || $ref === undefined) return mendMapping(value, kind, shape, here);
    if (typeof $ref === 'string') return mendReference($ref, {}, kind, here, mend);
    return unexpected($ref, 'a reference', spare, below(here, '$ref'));
  });
}

function mendList(items: readonly unknown[], { each = 'data', full }: Shape, here: Here): unknown {
  const mended = items
    .map((item, index) => mend(item, each, below(here, index)))
    .filter((item) => item !== undefined);
  return full && mended.length === 0 ? undefined : mended;
}

function mendMapping(node: Members, kind: Kind, shape: Shape, here: Here): unknown {
  const mended = mapMembers(node, here, (value, key) => {
    if (kind === 'contents' && !isContentKey(key, here)) return undefined;
    // An extension may be anything, but some headers and security schemes are called like one.
    if (shape.each && kind !== 'requirement' && key.startsWith('x-') && !isMapping(value)) return undefined;
    if (shape.keywords?.has(key)) return undefined;
    const held = shape.each ?? memberKind(shape, key);
    return held === 'data' ? value : mend(value, held, below(here, key));
  });
  const { keywords, members } = shape;
  const whole = keywords ? { ...mended, ...mendSchema(pick(node, keywords), here, mend) } : mended;
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

function memberKind({ members }: Shape, key: string): Kind {
  return members && Object.hasOwn(members, key) ? (members[key] ?? 'data') : 'data';
}

function pick(node: Members, keys: ReadonlySet<string>): Members {
  const entries = Object.entries(node).filter(([key]) => keys.has(key));
  // Swagger's own type for an upload.
  return {
    ...Object.fromEntries(entries),
    ...(node.type === 'file' && { type: 'string', format: 'binary' }),
  };
}

/** The conversion would take a `$ref` in an `example` for a reference; in the value of a named one it does not. */
function joinExamples(node: Members): Members {
  if (node.example === undefined) return node;
  const { example, ...others } = node;
  return { ...others, examples: { default: { value: example }, ...(others.examples as object | undefined) } };
}

/** What is left to do for some kinds once their members are mended. */
const FINISHERS: Partial<Record<Kind, (copy: Members, here: Here) => unknown>> = {
  parameter(copy, here) {
    const { places } = here.walk.format;
    if (typeof copy.name !== 'string')
      return complain(here, 'the parameter has no name', 'Give it a "name".');
    if (typeof copy.in === 'string' && places.includes(copy.in)) {
      // Prism fails over some styles of a parameter that does not say what it is.
      return copy.schema || copy.content || copy.type ? withSchema(copy) : { ...copy, schema: {} };
    }
    return complain(
      here,
      `the parameter "${copy.name}" is nowhere`,
      `Set "in" to one of ${places.join(', ')}.`,
    );
  },
  header: (copy) => withSchema(copy),
  // The conversion drops a body or response that says nothing at all, and what refers to it would lead nowhere.
  body: (copy) => (copy.content === undefined ? { ...copy, content: {} } : copy),
  response: (copy) => (copy.description === undefined ? { ...copy, description: '' } : copy),
};

/** The conversion passes over the schema in the `content` of a parameter or header, so it moves to where others have theirs. */
function withSchema(copy: Members): Members {
  const [first] = Object.entries((copy.content ?? {}) as Record<string, Record<string, unknown>>);
  if (!first) return copy;
  const [mediaType, { schema, ...rest }] = first;
  return { ...copy, ...(schema !== undefined && { schema }), content: { [mediaType]: rest } };
}

function unexpected(node: unknown, wanted: string, spare: boolean, here: Here): undefined {
  if (node === undefined || node === null) return undefined;
  const reason = `expected ${wanted}, got ${kindOf(node)}`;
  return (spare ? ignore : complain)(here, reason, 'Correct or remove it.');
}

/** The same data may stand in several places of a unit, but never in itself. */
function once(node: object, kind: Kind, here: Here, make: () => unknown): unknown {
  if (here.source.isTree) return make();
  const seen = here.unit.seen.get(kind) ?? new Map<object, unknown>();
  here.unit.seen.set(kind, seen);
  if (seen.has(node)) {
    const known = seen.get(node);
    return known === IN_WORK ? complain(here, 'it holds itself', 'Refer to it with "$ref".') : known;
  }
  seen.set(node, IN_WORK);
  const made = make();
  seen.set(node, made);
  return made;
}

const IN_WORK = Symbol('in work');

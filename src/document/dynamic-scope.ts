import { isObject, toPointer } from '../schema/schema.ts';
import { isMapping, type Mapping } from './mapping.ts';
import { referVariant, resolveQuietly } from './sanitize-reference.ts';
import { type Anchored, type Here, type Sanitize, toPath } from './unit.ts';

/** Adds the anchors of a schema, and of its `$defs`, to the scope of its place. */
export function enterScope(node: Mapping, here: Here): Here {
  const { $defs, definitions, $dynamicAnchor } = node;
  if ($defs === undefined && definitions === undefined && $dynamicAnchor === undefined) return here;
  const found = new Map<string, Anchored>();
  const add = (schema: unknown, path: readonly string[]) => {
    const name = isMapping(schema) ? schema.$dynamicAnchor : undefined;
    if (typeof name === 'string') found.set(name, toAnchored(schema as Mapping, here, path));
  };
  add(node, []);
  for (const [key, members] of Object.entries({ $defs, definitions })) {
    for (const [name, schema] of Object.entries(isMapping(members) ? members : {})) add(schema, [key, name]);
  }
  if (found.size === 0) return here;
  const anchors = new Map([...found, ...(here.scope?.anchors ?? [])]);
  return { ...here, scope: { id: toId(anchors), anchors } };
}

/** Refers to a schema by its place, or by its own target if it is only a reference. */
function toAnchored({ $dynamicAnchor, ...others }: Mapping, here: Here, path: readonly string[]): Anchored {
  const { source } = here;
  if (typeof others.$ref === 'string' && Object.keys(others).length === 1)
    return { reference: others.$ref, source };
  const pointer = toPointer([...toPath(here.position), ...path]);
  return { reference: `#${pointer.replaceAll('%', '%25')}`, source };
}

function toId(anchors: ReadonlyMap<string, Anchored>): string {
  const list = [...anchors].map(([name, { reference, source }]) => [name, source.location, reference]);
  return JSON.stringify(list.sort(([one = ''], [other = '']) => (one < other ? -1 : 1)));
}

/** The reference that a `$dynamicRef` means at a place; `undefined` where it has no target. */
export function resolveDynamic(reference: string, here: Here): Anchored | undefined {
  if (reference.startsWith('#/')) return { reference, source: here.source };
  return here.scope?.anchors.get(reference.replace(/^#/, ''));
}

/**
 * Refers to a copy of a schema for the scope of a place, because each use of a generic schema has its own items. `undefined` for a
 * schema that is the same in every scope.
 */
export function referInScope(reference: string, here: Here, sanitize: Sanitize): object | undefined {
  const { scope, walk } = here;
  if (!scope || walk.moved.size > MOST_COPIES) return undefined;
  const target = resolveQuietly({ $ref: reference }, here);
  if (!target || !isMapping(target.node) || !leadsToDynamic(target.node, target.here)) return undefined;
  const alone = { ...target.here, scope: undefined };
  if (enterScope(target.node, alone).scope?.id === scope.id) return undefined;
  return referVariant(reference, 'in', here, (node, at) => sanitize(node, 'schema', { ...at, scope }));
}

/** The most copies of one document. More would take too long to load. */
const MOST_COPIES = 10_000;

/** Whether a schema has a `$dynamicRef` at any depth, even behind references. */
function leadsToDynamic(start: Mapping, from: Here): boolean {
  const seen = new Set<object>();
  const stack: { readonly node: unknown; readonly here: Here }[] = [{ node: start, here: from }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node, here } = next;
    if (!isObject(node) || seen.has(node)) continue;
    seen.add(node);
    if (typeof node.$dynamicRef === 'string') return true;
    const target = typeof node.$ref === 'string' ? resolveQuietly(node, here) : undefined;
    if (target) stack.push(target);
    for (const member of Object.values(node)) stack.push({ node: member, here });
  }
  return false;
}

import { isObject, type SchemaNode } from '../../schema/schema.ts';

/** A path into a value, by property names and indexes. */
export type ValuePath = readonly (string | number)[];

/** A scalar, or a list of scalars, in a value, with its schema. */
export interface ValueLeaf {
  readonly path: ValuePath;
  /** The name of the property, or of the list that contains the leaf. */
  readonly name: string;
  /** The property whose object contains the leaf. */
  readonly owner: string;
  readonly schema: SchemaNode;
  readonly value: unknown;
}

/** The property of the nested object that contains a leaf; empty for a leaf of the entity itself. */
export function ownerOf({ path, owner }: ValueLeaf): string {
  return path.some((step, index) => index > 0 && typeof step === 'string') ? owner : '';
}

/** A new value at a path. */
export interface LeafEdit {
  readonly path: ValuePath;
  readonly value: unknown;
}

/** The leaves of a value that have a schema without `enum` or `const`. */
export function findLeaves(
  schema: SchemaNode,
  value: unknown,
  owner: string,
  isGiven: IsGiven = () => false,
): ValueLeaf[] {
  return collectLeaves({ path: [], name: owner, owner, schema, value }, isGiven);
}

/** Whether the document itself gives a value, so that neither it nor its members are leaves. */
export type IsGiven = (schema: SchemaNode, value: unknown) => boolean;

function collectLeaves(
  { schema, ...place }: Omit<ValueLeaf, 'schema'> & { readonly schema: SchemaNode | undefined },
  isGiven: IsGiven,
): ValueLeaf[] {
  const { path, name, value } = place;
  if (!schema || value === null || value === undefined || isGiven(schema, value)) return [];
  if (Array.isArray(value)) return collectItems({ ...place, schema }, value, isGiven);
  if (isObject(value)) {
    return Object.entries(value).flatMap(([key, member]) => {
      // A property of the wrong alternative does no harm: edits are checked.
      const own = schema.allProperties.get(key);
      return collectLeaves(
        { path: [...path, key], name: key, owner: name, schema: own, value: member },
        isGiven,
      );
    });
  }
  const { enum: members, const: only } = schema.keywords;
  return members === undefined && only === undefined ? [{ ...place, schema }] : [];
}

/** The leaves of a list: those of its items, and the list itself if it holds no objects. */
function collectItems(list: ValueLeaf, items: readonly unknown[], isGiven: IsGiven): ValueLeaf[] {
  const { path, name, schema } = list;
  const leaves = items.flatMap((item, index) => {
    const itemName = isObject(item) ? name.replace(/s$/, '') : name;
    const place = { ...list, path: [...path, index], name: itemName, schema: schema.items, value: item };
    return collectLeaves(place, isGiven);
  });
  return items.some(isObject) ? leaves : [list, ...leaves];
}

/** More edits than this are tried in halves, because each try checks the whole value. */
const FEW = 200;
/** The most tries in halves. */
const MOST_TRIES = 200;

type IsValid = (value: unknown) => boolean;

/** Applies all edits if the result is valid, else those that leave it valid: one by one, or many of them in halves. */
export function withEdits(value: unknown, edits: readonly LeafEdit[], isValid: IsValid): unknown {
  if (edits.length > FEW) return withHalves(value, edits, isValid, { left: MOST_TRIES });
  const all = applyEdits(value, edits);
  if (isValid(all)) return all;
  return edits.reduce((current, edit) => {
    const next = applyEdits(current, [edit]);
    return isValid(next) ? next : current;
  }, value);
}

function withHalves(
  value: unknown,
  edits: readonly LeafEdit[],
  isValid: IsValid,
  tries: { left: number },
): unknown {
  tries.left -= 1;
  if (tries.left < 0) return value;
  const all = applyEdits(value, edits);
  if (isValid(all)) return all;
  if (edits.length === 1) return value;
  const middle = Math.ceil(edits.length / 2);
  const first = withHalves(value, edits.slice(0, middle), isValid, tries);
  return withHalves(first, edits.slice(middle), isValid, tries);
}

type Container = Record<string | number, unknown>;

/** Applies edits to a copy, in which each object and list is copied once. */
function applyEdits(value: unknown, edits: readonly LeafEdit[]): unknown {
  const copies = new Set<unknown>();
  const copyAt = (around: Container, step: string | number): Container => {
    const known = around[step] as Container;
    if (copies.has(known)) return known;
    // A spread keeps `__proto__` an ordinary member.
    const copy = (Array.isArray(known) ? [...known] : { ...known }) as Container;
    copies.add(copy);
    around[step] = copy;
    return copy;
  };
  const root: Container = { value };
  for (const { path, value: replacement } of edits) {
    const steps = ['value', ...path];
    const last = steps.pop() as string | number;
    steps.reduce<Container>(copyAt, root)[last] = replacement;
  }
  return root.value;
}

import { isObject, resolveReference, type Schema, schemaProperties } from '../schema/schema.ts';

/** A path into a value, by property names and indexes. */
type ValuePath = readonly (string | number)[];

/** A scalar, or a list of scalars, in a value, with its schema. */
export interface ValueLeaf {
  readonly path: ValuePath;
  /** The name of the property, or of the list that contains the leaf. */
  readonly name: string;
  /** The property whose object contains the leaf. */
  readonly owner: string;
  readonly schema: Schema;
  readonly value: unknown;
}

/** The property of the nested object that contains a leaf; empty for a leaf of the entity itself. */
export function ownerOf({ path, owner }: ValueLeaf): string {
  return path.some((step, index) => index > 0 && typeof step === 'string') ? owner : '';
}

/** A new value at a path. */
export interface Edit {
  readonly path: ValuePath;
  readonly value: unknown;
}

/** The leaves of a value that have a schema without `enum` or `const`. */
export function findLeaves(root: unknown, schema: unknown, value: unknown, owner: string): ValueLeaf[] {
  return collectLeaves(root, { path: [], name: owner, owner, schema, value });
}

function collectLeaves(
  root: unknown,
  place: Omit<ValueLeaf, 'schema'> & { readonly schema: unknown },
): ValueLeaf[] {
  const schema = resolveReference(root, place.schema);
  const { path, name, value } = place;
  if (!isObject(schema) || value === null || value === undefined) return [];
  if (Array.isArray(value)) {
    const singular = name.replace(/s$/, '');
    const list = { ...place, schema };
    const items = value.flatMap((item, index) =>
      collectLeaves(root, {
        ...place,
        path: [...path, index],
        name: isObject(item) ? singular : name,
        schema: schema.items,
        value: item,
      }),
    );
    return value.some(isObject) ? items : [list, ...items];
  }
  if (isObject(value)) {
    const properties = propertiesOf(root, schema);
    return Object.entries(value).flatMap(([key, member]) =>
      collectLeaves(root, {
        path: [...path, key],
        name: key,
        owner: name,
        schema: properties.get(key),
        value: member,
      }),
    );
  }
  return schema.enum === undefined && schema.const === undefined ? [{ ...place, schema }] : [];
}

/** The properties of a schema and of all its alternatives. A property of the wrong alternative does no harm: edits are checked. */
function propertiesOf(root: unknown, schema: Schema): Map<string, unknown> {
  const alternatives = [schema.oneOf, schema.anyOf].filter(Array.isArray).flat();
  const maps = [...alternatives, schema].map((part) => schemaProperties(root, part));
  return new Map(maps.flatMap((properties) => [...properties]));
}

/** Applies all edits if the result is valid, else those that leave it valid one by one. */
export function withEdits(
  value: unknown,
  edits: readonly Edit[],
  isValid: (value: unknown) => boolean,
): unknown {
  const all = edits.reduce(withEdit, value);
  if (isValid(all)) return all;
  return edits.reduce((current, edit) => {
    const next = withEdit(current, edit);
    return isValid(next) ? next : current;
  }, value);
}

function withEdit(value: unknown, { path, value: replacement }: Edit): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return replacement;
  const member = (value as Record<string | number, unknown>)[step];
  const changed = withEdit(member, { path: rest, value: replacement });
  if (Array.isArray(value)) return value.with(Number(step), changed);
  // Spreading and a computed name keep `__proto__` an ordinary member.
  return { ...(value as object), [step]: changed };
}

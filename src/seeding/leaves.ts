import { isObject, resolveReference, type Schema, schemaProperties } from '../schema/schema.ts';

/** A place in a value, by property names and indexes. */
export type Path = readonly (string | number)[];

/** A text, number or list of such in a value, and what the schema says of it. */
export interface Leaf {
  readonly path: Path;
  /** The name of the property; that of a list for what is in it. */
  readonly name: string;
  /** The name of the property that holds the object that the leaf is in. */
  readonly owner: string;
  readonly schema: Schema;
  readonly value: unknown;
}

/** The name of the object inside the entity that a leaf is in; empty if it is in the entity itself. */
export function ownerOf({ path, owner }: Leaf): string {
  return path.some((step, index) => index > 0 && typeof step === 'string') ? owner : '';
}

/** Another value for a place. */
export interface Edit {
  readonly path: Path;
  readonly value: unknown;
}

/** The leaves of a value of which the schema knows something, but does not settle them by an enum. */
export function findLeaves(root: unknown, schema: unknown, value: unknown, owner: string): Leaf[] {
  return walk(root, { path: [], name: owner, owner, schema, value });
}

function walk(root: unknown, place: Omit<Leaf, 'schema'> & { readonly schema: unknown }): Leaf[] {
  const schema = resolveReference(root, place.schema);
  const { path, name, value } = place;
  if (!isObject(schema) || value === null || value === undefined) return [];
  if (Array.isArray(value)) {
    const singular = name.replace(/s$/, '');
    const list = { ...place, schema };
    const items = value.flatMap((item, index) =>
      walk(root, {
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
      walk(root, {
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

/** The properties of a schema and of its alternatives. Which of these holds need not be known: edits are checked. */
function propertiesOf(root: unknown, schema: Schema): Map<string, unknown> {
  const alternatives = [schema.oneOf, schema.anyOf].filter(Array.isArray).flat();
  const maps = [...alternatives, schema].map((part) => schemaProperties(root, part));
  return new Map(maps.flatMap((properties) => [...properties]));
}

/** The value with all edits, if it is valid then; else with those that leave it valid, the first ones first. */
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

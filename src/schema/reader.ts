/** A JSON Schema (draft 7) as the document holds it. */
export type Schema = Readonly<Record<string, unknown>>;

/** Follows a chain of `$ref`s in `root`, as far as `follows` allows. Throws an `Error` on a dangling or endless one. */
export function resolveReference(
  root: unknown,
  node: unknown,
  follows: (reference: string) => boolean = () => true,
): unknown {
  let current = node;
  for (let hops = 0; isReference(current) && follows(current.$ref); hops++) {
    if (hops > 100) throw new Error(`The reference "${current.$ref}" only ever leads to other references`);
    current = readPointer(root, current.$ref);
  }
  return current;
}

/** The value at a local reference such as `#/components/schemas/Pet` (RFC 6901). Throws an `Error` if there is none. */
export function readPointer(root: unknown, reference: string): unknown {
  let current = root;
  for (const token of toTokens(reference)) {
    const next = isObject(current) && Object.hasOwn(current, token) ? current[token] : undefined;
    if (next === undefined) throw new Error(`The reference "${reference}" leads nowhere`);
    current = next;
  }
  return current;
}

/** The unescaped tokens of a local reference. */
export function toTokens(reference: string): string[] {
  const fragment = reference.slice(reference.indexOf('#') + 1);
  return fragment
    .split('/')
    .slice(1)
    .map((token) => (/[%~]/.test(token) ? toPlainToken(token) : token));
}

function toPlainToken(token: string): string {
  return decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The types that a schema allows, without `null`; empty if it names none. */
export function schemaTypes(
  root: unknown,
  schema: unknown,
  seen: ReadonlySet<unknown> = new Set(),
): string[] {
  const resolved = resolveReference(root, schema);
  if (!isObject(resolved) || seen.has(resolved)) return [];
  if (typeof resolved.type === 'string' && resolved.type !== 'null') return [resolved.type];
  const types = Array.isArray(resolved.type) ? resolved.type : [resolved.type];
  const named = types.filter((type): type is string => typeof type === 'string' && type !== 'null');
  if (named.length > 0) return named;
  const parts = [resolved.allOf, resolved.oneOf, resolved.anyOf].filter(Array.isArray).flat();
  return [...new Set(parts.flatMap((part) => schemaTypes(root, part, new Set([...seen, resolved]))))];
}

/** Whether a schema allows null. */
export function isNullable(root: unknown, schema: unknown): boolean {
  const resolved = resolveReference(root, schema);
  if (!isObject(resolved)) return false;
  if (Array.isArray(resolved.type) ? resolved.type.includes('null') : resolved.type === 'null') return true;
  return [resolved.oneOf, resolved.anyOf]
    .filter(Array.isArray)
    .flat()
    .some((each) => isNullable(root, each));
}

/** Whether a schema or one of its `allOf` parts is marked, such as `readOnly`. */
export function isMarked(root: unknown, schema: unknown, mark: string): boolean {
  return conjuncts(root, schema).some((part) => part[mark] === true);
}

/** The properties of an object schema and its `allOf` parts. */
export function schemaProperties(root: unknown, schema: unknown): Map<string, unknown> {
  return new Map(
    conjuncts(root, schema).flatMap(({ properties }) =>
      isObject(properties) ? Object.entries(properties) : [],
    ),
  );
}

/** The names of the properties that an object schema and its `allOf` parts require. */
export function schemaRequired(root: unknown, schema: unknown): string[] {
  const names = conjuncts(root, schema).flatMap(({ required }) => (Array.isArray(required) ? required : []));
  return [...new Set(names.map(String))];
}

/** The schema of all items of an array schema; `undefined` if there is none, or one for each position. */
export function schemaItems(root: unknown, schema: unknown): unknown {
  const resolved = resolveReference(root, schema);
  return isObject(resolved) && !Array.isArray(resolved.items) ? resolved.items : undefined;
}

/** A schema and its nested `allOf` parts, the parts first. A value must match all of them. */
function conjuncts(
  root: unknown,
  schema: unknown,
  seen: ReadonlySet<unknown> = new Set(),
): Record<string, unknown>[] {
  const resolved = resolveReference(root, schema);
  if (!isObject(resolved) || seen.has(resolved)) return [];
  const parts = Array.isArray(resolved.allOf) ? resolved.allOf : [];
  if (parts.length === 0) return [resolved];
  return [...parts.flatMap((part) => conjuncts(root, part, new Set([...seen, resolved]))), resolved];
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isReference(value: unknown): value is { $ref: string } {
  return isObject(value) && typeof value.$ref === 'string';
}

/** A schema as text, without annotations. Schemas with the same text accept the same values. */
export function toSchemaText(schema: unknown): string {
  return JSON.stringify(schema, (key, value: unknown) => (ANNOTATIONS.test(key) ? undefined : value));
}

const ANNOTATIONS = /^(x-stoplight|\$schema|examples?|description|title)$/;

import { createMarkSearch, type DirectionMark, type HasMarkedMember, type SchemaMark } from './marks.ts';
import { isObject, isReference, readPointer, resolveReference } from './reference.ts';
import { createSizeMeasure, type SchemaSize } from './smallest-size.ts';

/** A JSON Schema (draft 7) as the document holds it. */
export type Schema = Readonly<Record<string, unknown>>;

/** Reads the schemas of one document. */
export interface SchemaReader {
  /** Makes a node of a schema. A missing schema has a node that allows everything. */
  read(schema: unknown): SchemaNode;
  /** Follows the references of any part of the document. Throws an `Error` on a dangling or endless one. */
  resolve(part: unknown): unknown;
  /** The value at a local reference such as `#/components/schemas/Pet`. Throws an `Error` if there is none. */
  at(reference: string): unknown;
}

/** Creates the reader of a document, in whose `root` references resolve. */
export function createSchemaReader(root: unknown): SchemaReader {
  const resolve = (part: unknown) => resolveReference(root, part);
  const targets = new Map<string, SchemaNode>();
  const inner: NodeReader = {
    read: (schema) => new SchemaNode(toDefinition(schema), inner),
    targetOf(reference) {
      const known = targets.get(reference.$ref) ?? inner.read(resolve(reference));
      targets.set(reference.$ref, known);
      return known;
    },
    hasMarkedMember: createMarkSearch(resolve),
    sizeOf: createSizeMeasure(resolve),
  };
  return { read: inner.read, resolve, at: (reference) => readPointer(root, reference) };
}

function toDefinition(schema: unknown): Schema {
  if (isObject(schema)) return schema;
  return schema === false ? NOTHING : ANYTHING;
}

const ANYTHING: Schema = {};
const NOTHING: Schema = { not: {} };

/** A reader as its nodes know it. */
interface NodeReader extends Pick<SchemaReader, 'read'> {
  /** The node at the end of a reference, the same one for the same reference. */
  targetOf(reference: { readonly $ref: string }): SchemaNode;
  readonly hasMarkedMember: HasMarkedMember;
  readonly sizeOf: (schema: unknown) => SchemaSize;
}

/** Named schemas: the properties of an object. */
export type SchemaNodes = ReadonlyMap<string, SchemaNode>;

/**
 * A schema of a document. Its facts are those at the end of its references. Each is read on first access and remembered, since most
 * are never asked for. Reading one throws an `Error` on a dangling or endless reference.
 */
export class SchemaNode {
  /** The schema as the document holds it: a reference, or keywords. */
  readonly definition: Schema;
  readonly #reader: NodeReader;
  #types: readonly string[] | undefined;
  #isNullable: boolean | undefined;
  #properties: SchemaNodes | undefined;
  #sharedProperties: SchemaNodes | undefined;
  #allProperties: SchemaNodes | undefined;

  constructor(definition: Schema, reader: NodeReader) {
    this.definition = definition;
    this.#reader = reader;
  }

  /** The node that its references lead to; itself if it is none. */
  get target(): SchemaNode {
    const { definition } = this;
    return isReference(definition) ? this.#reader.targetOf(definition) : this;
  }

  /** The keywords of its target. */
  get keywords(): Schema {
    return this.target.definition;
  }

  /** The types that it allows, without `null`; empty if it names none. */
  get types(): readonly string[] {
    const { target } = this;
    target.#types ??= target.#typesWithin(new Set());
    return target.#types;
  }

  get isNullable(): boolean {
    const { target } = this;
    target.#isNullable ??= composition(target, (node) => node.#listed('oneOf', 'anyOf')).some(
      ({ definition: { type } }) => [type].flat().includes('null'),
    );
    return target.#isNullable;
  }

  /** The nodes that a value must match: the nested `allOf` parts first, then its target. */
  get conjuncts(): SchemaNode[] {
    return composition(this, (node) => node.#listed('allOf'));
  }

  /** The nodes that may describe a value: nested alternatives and `allOf` parts first, then its target. */
  get parts(): SchemaNode[] {
    return composition(this, (node) => node.#listed('oneOf', 'anyOf', 'allOf'));
  }

  /** The schemas of its `oneOf`, else of its `anyOf`, else of those of an `allOf` part. */
  get branches(): readonly SchemaNode[] {
    const parts = this.conjuncts.toReversed();
    return parts.map((node) => node.#alternatives()).find((list) => list.length > 0) ?? [];
  }

  /** The properties of the object and its `allOf` parts. */
  get properties(): SchemaNodes {
    const { target } = this;
    target.#properties ??= target.#propertiesOf(target.conjuncts);
    return target.#properties;
  }

  /** The properties, and those that all its alternatives share. */
  get sharedProperties(): SchemaNodes {
    const { target } = this;
    target.#sharedProperties ??= target.#withShared();
    return target.#sharedProperties;
  }

  /** The properties, and those of each alternative. */
  get allProperties(): SchemaNodes {
    const { target } = this;
    target.#allProperties ??= target.#propertiesOf(target.parts);
    return target.#allProperties;
  }

  /** The names of the properties that the object and its `allOf` parts require. */
  get required(): string[] {
    const lists = this.conjuncts.map(({ definition: { required } }) => required);
    return [...new Set(lists.filter(Array.isArray).flat().map(String))];
  }

  /** The schema of all items of a list; `undefined` if there is none, or one for each position. */
  get items(): SchemaNode | undefined {
    const { items } = this.keywords;
    return items === undefined || Array.isArray(items) ? undefined : this.#reader.read(items);
  }

  /** The schema of the members without one of their own; `undefined` if there is none. */
  get additionalProperties(): SchemaNode | undefined {
    const { additionalProperties } = this.keywords;
    return additionalProperties === undefined ? undefined : this.#reader.read(additionalProperties);
  }

  /** Whether it or one of its `allOf` parts is marked, such as `readOnly`. */
  isMarked(mark: DirectionMark): boolean {
    return this.conjuncts.some(({ definition }) => definition[mark] === true);
  }

  /** Whether a member or item at any depth is marked. */
  hasMarkedMember(mark: SchemaMark): boolean {
    return this.#reader.hasMarkedMember(this.definition, mark);
  }

  /** The size of its smallest value. */
  get size(): SchemaSize {
    return this.#reader.sizeOf(this.definition);
  }

  /** The node of a property at any depth. A property without a schema allows everything. */
  at(path: readonly string[]): SchemaNode {
    return path.reduce<SchemaNode>(
      (node, name) => node.sharedProperties.get(name) ?? this.#reader.read(undefined),
      this,
    );
  }

  /** A node of another schema of the same document. */
  derive(definition: unknown): SchemaNode {
    return this.#reader.read(definition);
  }

  /** A node for the values that match both. */
  and(other: SchemaNode): SchemaNode {
    return this.#reader.read({ allOf: [this.definition, other.definition] });
  }

  #alternatives(): SchemaNode[] {
    const oneOf = this.#listed('oneOf');
    return oneOf.length > 0 ? oneOf : this.#listed('anyOf');
  }

  #listed(...keywords: readonly string[]): SchemaNode[] {
    const lists = keywords.map((keyword) => this.keywords[keyword]);
    return lists.filter(Array.isArray).flatMap((list) => list.map((each) => this.#reader.read(each)));
  }

  #typesWithin(seen: Set<Schema>): string[] {
    if (seen.has(this.definition)) return [];
    seen.add(this.definition);
    const types = [this.definition.type].flat().filter((type) => typeof type === 'string');
    const named = types.filter((type) => type !== 'null');
    if (named.length > 0) return named;
    const parts = this.#listed('allOf', 'oneOf', 'anyOf');
    return [...new Set(parts.flatMap(({ target }) => target.#typesWithin(seen)))];
  }

  #withShared(): SchemaNodes {
    const [first, ...others] = this.#alternatives();
    if (!first) return this.properties;
    const shared = [...first.properties].filter(([name]) =>
      others.every(({ properties }) => properties.has(name)),
    );
    return new Map([...shared, ...this.properties]);
  }

  #propertiesOf(nodes: readonly SchemaNode[]): SchemaNodes {
    const found = nodes.flatMap(({ definition: { properties } }) =>
      isObject(properties) ? Object.entries(properties) : [],
    );
    return new Map(found.map(([name, schema]) => [name, this.#reader.read(schema)]));
  }
}

/** The targets of the nodes that a node is composed of, itself last. Each comes once: a web of parts has exponentially many ways to it. */
function composition(
  node: SchemaNode,
  below: (node: SchemaNode) => readonly SchemaNode[],
  seen: Set<Schema> = new Set(),
): SchemaNode[] {
  const { target } = node;
  if (seen.has(target.definition)) return [];
  seen.add(target.definition);
  const parts = below(target);
  return parts.length === 0 ? [target] : [...parts.flatMap((part) => composition(part, below, seen)), target];
}

/** Whether a schema declares a numeric type. */
export function isNumeric({ types }: Pick<SchemaNode, 'types'>): boolean {
  return types.includes('integer') || types.includes('number');
}

/** A schema as text, without annotations. Schemas with the same text accept the same values. */
export function toSchemaText(schema: unknown): string {
  return JSON.stringify(schema, (key, value: unknown) => (ANNOTATIONS.test(key) ? undefined : value));
}

const ANNOTATIONS = /^(x-stoplight|\$schema|examples?|description|title)$/;

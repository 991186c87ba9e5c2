import { isObject, type SchemaNode } from '../schema/schema.ts';

/** Deeper members are not counted. */
const DEEPEST = 8;
/** A contract with more of them is counted in part, because nobody reads about all of them. */
const MOST_POINTS = 2000;

/** A place in a schema, and whether a value has had it. Its members are made when they are first needed. */
export class SchemaPoint {
  seen = false;
  readonly #node: SchemaNode;
  #members: ReadonlyMap<string, SchemaPoint> | undefined;
  #items: SchemaPoint | undefined;
  #values: Map<unknown, boolean> | undefined;
  #isRead = false;
  #complete = false;

  /** Whether a value has had everything that is below. */
  get isComplete(): boolean {
    return this.#complete;
  }

  constructor(node: SchemaNode) {
    this.#node = node;
  }

  /** Notes the places that a value has. Ignores those that the schema does not name. */
  visit(value: unknown): void {
    this.seen = true;
    if (this.#complete) return;
    this.#read();
    if (Array.isArray(value)) {
      if (this.#items) for (const item of value) this.#items.visit(item);
    } else if (isObject(value)) this.#visitMembers(value);
    else if (this.#values?.has(value)) this.#values.set(value, true);
    this.#complete = this.#hasAll();
  }

  // A path such as `/tags/*` has a star for the items of a list.
  /** Lists the places below by their paths, and the values of enums as `/status=sold`. */
  list(): { readonly places: Map<string, boolean>; readonly values: Map<string, boolean> } {
    const found = { places: new Map<string, boolean>(), values: new Map<string, boolean>() };
    this.#collect('', new Set(), found);
    return found;
  }

  #visitMembers(value: Readonly<Record<string, unknown>>): void {
    for (const name in value) {
      const member = this.#members?.get(name);
      if (member && value[name] !== undefined) member.visit(value[name]);
    }
  }

  #read(): void {
    if (this.#isRead) return;
    this.#isRead = true;
    const { allProperties, items, keywords } = this.#node;
    if (allProperties.size > 0)
      this.#members = new Map([...allProperties].map(([name, node]) => [name, new SchemaPoint(node)]));
    if (items) this.#items = new SchemaPoint(items);
    if (Array.isArray(keywords.enum)) this.#values = new Map(keywords.enum.map((each) => [each, false]));
  }

  #hasAll(): boolean {
    if (this.#items && !(this.#items.seen && this.#items.#complete)) return false;
    if (this.#values) for (const seen of this.#values.values()) if (!seen) return false;
    if (this.#members)
      for (const member of this.#members.values()) if (!member.seen || !member.#complete) return false;
    return true;
  }

  #collect(path: string, around: ReadonlySet<unknown>, found: ReturnType<SchemaPoint['list']>): void {
    const { keywords } = this.#node;
    if (around.size > DEEPEST || around.has(keywords) || found.places.size > MOST_POINTS) return;
    this.#read();
    const inside = new Set([...around, keywords]);
    for (const [value, seen] of this.#values ?? []) found.values.set(`${path}=${String(value)}`, seen);
    for (const [name, member] of this.#members ?? []) {
      const place = `${path}/${name}`;
      found.places.set(place, member.seen);
      member.#collect(place, inside, found);
    }
    const items = this.#items;
    if (items) items.#collect(`${path}/*`, inside, found);
  }
}

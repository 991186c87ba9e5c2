import { isObject, type SchemaNode } from '../../schema/schema.ts';

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

  /** Notes the places that a value has, and returns whether one is new. Ignores those that the schema does not name. */
  visit(value: unknown): boolean {
    const isNew = !this.seen;
    this.seen = true;
    if (this.#complete) return isNew;
    this.#read();
    if (!this.#visitBelow(value) && !isNew) return false;
    this.#complete = this.#hasAll();
    return true;
  }

  // A path such as `/tags/*` has a star for the items of a list.
  /** Lists the places below by their paths, and the values of enums as `/status=sold`. */
  list(): { readonly places: Map<string, boolean>; readonly values: Map<string, boolean> } {
    const found = { places: new Map<string, boolean>(), values: new Map<string, boolean>() };
    this.#collect('', new Set(), found);
    return found;
  }

  #visitBelow(value: unknown): boolean {
    let isNew = false;
    if (Array.isArray(value)) {
      for (const item of value) if (this.#items?.visit(item)) isNew = true;
    } else if (isObject(value)) {
      for (const name in value)
        if (value[name] !== undefined && this.#members?.get(name)?.visit(value[name])) isNew = true;
    } else if (this.#values?.get(value) === false) {
      this.#values.set(value, true);
      isNew = true;
    }
    return isNew;
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
    const below = [...(this.#members?.values() ?? []), ...(this.#items ? [this.#items] : [])];
    const values = [...(this.#values?.values() ?? [])];
    return below.every((point) => point.seen && point.#complete) && values.every((isSeen) => isSeen);
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

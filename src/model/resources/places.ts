import { type Operation, type OutlineParameter, templateNames } from '../operations/operations.ts';
import { answersWithList } from './answers.ts';
import { type KeySource, PlacedOperation } from './placed-operation.ts';
import { toSnake } from './snake-case.ts';
import { type PlaceRole, readRpc, readVerb } from './verbs.ts';
import { toPlural, toSingular } from './words.ts';

/** The operations of a place by method. */
export type Methods = ReadonlyMap<string, PlacedOperation>;

interface Place {
  readonly path: string;
  readonly method: string;
  readonly keyIn?: KeySource | undefined;
  readonly movedBy?: readonly string[];
}

/** Finds the place of an operation, or leaves it where it is. */
type PlaceRule = (place: Place, operation: Operation, all: ReadonlySet<string>) => Place | undefined;

/** The rules in their order, with the clauses that name them. The first that changes a place wins. */
const PLACE_RULES: readonly (readonly [clause: string, rule: PlaceRule])[] = [
  ['verb after a dot', placeRpc],
  ['verb in the path', placeVerb],
  ['key in the query', placeQueryKey],
];

/** Puts operations at their places. Paths that differ only in the names of their parameters become one. */
export function placeOperations(operations: readonly Operation[]): PlacedOperation[] {
  const all = new Set(operations.map(({ path }) => toNameless(path)));
  const places = operations.map((operation): [Operation, Place] => [operation, findByRule(operation, all)]);
  const toCollection = mergeSiblings(places.map(([, place]) => place));
  const merged = places.map(([operation, place]): [Operation, Place] => [
    operation,
    withPath(place, toCollection(place.path)),
  ]);
  const names = collectNames(merged);
  return merged.map(([declared, { path, method, keyIn, movedBy = [] }]) => {
    return new PlacedOperation(declared, {
      path: names.get(toNameless(path)) ?? path,
      method,
      keyIn,
      movedBy,
    });
  });
}

function findByRule(operation: Operation, all: ReadonlySet<string>): Place {
  const path = withoutSlash(operation.path);
  const plain = { path, method: operation.method };
  const slash = path === operation.path ? [] : ['trailing slash'];
  for (const [clause, rule] of PLACE_RULES) {
    const place = rule(plain, operation, all);
    if (place) return { ...place, movedBy: [...slash, clause] };
  }
  return { ...plain, movedBy: slash };
}

function withPath(place: Place, path: string): Place {
  if (path === place.path) return place;
  return { ...place, path, movedBy: [...(place.movedBy ?? []), 'singular and plural'] };
}

/** The name of a path parameter of a placed operation in its own path; `undefined` where the path does not have it. */
export function toOwnName({ path, declared }: PlacedOperation, name: string): string | undefined {
  return templateNames(declared.path)[templateNames(path).indexOf(name)];
}

/** `POST /documents.create` and its like: the key of an item is in the body, or in the query of a GET. */
function placeRpc({ path, method }: Place, operation: Operation): Place | undefined {
  const [base, word] = splitLast(path);
  const found = readRpc(word);
  if (!found) return undefined;
  const collection = `${base}/${found.collection}`;
  const placed = PLACE_METHODS[found.role];
  if (found.role === 'list' || found.role === 'create') return { path: collection, method: placed };
  const key = method === 'GET' ? findQueryKey(operation, found.collection)?.name : undefined;
  if (method === 'GET' && key === undefined) return undefined;
  return {
    path: `${collection}/{id}`,
    method: placed,
    keyIn: key === undefined ? 'body' : { query: key },
  };
}

const PLACE_METHODS: Readonly<Record<PlaceRole, string>> = {
  list: 'GET',
  create: 'POST',
  read: 'GET',
  update: 'PATCH',
  remove: 'DELETE',
};

/** `/products/add`, `/products/edit/{id}`, `/products/{id}/delete`, `/guide/createGuide`, `/getUsers`. */
function placeVerb({ path, method }: Place): Place | undefined {
  const [, before = '', item = ''] = /^(.*?)(\/\{[^{}]+\})?$/.exec(path) ?? [];
  const [base, word] = splitLast(before);
  const found = readVerb(word, method);
  if (!found) return undefined;
  const collection = toVerbCollection(base, found.noun);
  if (collection === undefined) return undefined;
  const isItem = item !== '' || (found.noun === '' && base.endsWith('}'));
  const needsItem = found.role !== 'list' && found.role !== 'create';
  if (isItem !== needsItem && !(found.role === 'read' && found.noun === '')) return undefined;
  return {
    path: collection + item,
    method: found.role === 'update' ? method : PLACE_METHODS[found.role],
  };
}

/** The collection that a verb below `base` is about; `undefined` where the two nouns have nothing in common. */
function toVerbCollection(base: string, noun: string): string | undefined {
  const [above, word] = splitLast(base);
  if (noun === '') return base === '' ? undefined : base;
  if (toSingular(word) === noun) return base;
  // `/shopping-cart/add-product` is about the cart.
  return base === '' || /^(api|v\d+)$/.test(word)
    ? `${above}${word && `/${word}`}/${toPlural(noun)}`
    : undefined;
}

/** `GET /task?id=`, where no path names an item. */
function placeQueryKey(
  { path, method }: Place,
  operation: Operation,
  all: ReadonlySet<string>,
): Place | undefined {
  const [, word] = splitLast(path);
  if (word.includes('{') || method === 'POST' || all.has(`${toNameless(path)}/{}`)) return undefined;
  const key = findQueryKey(operation, word);
  if (!key || (method === 'GET' && (!key.required || answersWithList(operation)))) return undefined;
  return { path: `${path}/{${key.name}}`, method, keyIn: { query: key.name } };
}

/** The query parameter of an operation that may name an item of this collection. */
function findQueryKey({ outline }: Operation, word: string): OutlineParameter | undefined {
  const names = new Set(['id', 'uuid', `${toSingular(word)}_id`]);
  return outline.parameters().find((each) => each.in === 'query' && names.has(toSnake(each.name)));
}

/**
 * Finds collections that two words name, as in `POST /book` and `GET /books`, and returns a function that puts the paths of the
 * singular below the plural.
 */
function mergeSiblings(places: readonly Place[]): (path: string) => string {
  const taken = new Set(places.map(toSlot));
  const collections = new Set(places.map(({ path }) => toNameless(path).replace(/\/\{\}$/, '')));
  const plurals = new Map<string, string>();
  for (const collection of collections) {
    // `GET /user` shows the current user.
    if (taken.has(`GET ${collection}`)) continue;
    const [base, word] = splitLast(collection);
    const plural = `${base}/${toPlural(word)}`;
    if (plural === collection || word.includes('{') || !collections.has(plural)) continue;
    const own = places.filter(({ path }) => isUnder(toNameless(path), collection));
    const moved = own.map((place) =>
      toSlot({ ...place, path: plural + toNameless(place.path).slice(collection.length) }),
    );
    if (!moved.some((slot) => taken.has(slot))) plurals.set(collection, plural);
  }
  return (path) => {
    for (const [singular, plural] of plurals)
      if (isUnder(toNameless(path), singular)) return plural + path.slice(singular.length);
    return path;
  };
}

function toSlot({ path, method }: Place): string {
  return `${method} ${toNameless(path)}`;
}

function isUnder(path: string, collection: string): boolean {
  return path === collection || path.startsWith(`${collection}/`);
}

/** The names of the parameters of each path: those of an operation that was not moved, else the first ones. */
function collectNames(places: readonly (readonly [Operation, Place])[]): ReadonlyMap<string, string> {
  const moved = places.map(([, { path }]) => path);
  const kept = places.flatMap(([{ path: own }, { path }]) => (withoutSlash(own) === path ? [path] : []));
  return new Map([...moved, ...kept].toReversed().map((path) => [toNameless(path), path]));
}

function splitLast(path: string): [before: string, word: string] {
  const slash = path.lastIndexOf('/');
  return [path.slice(0, Math.max(slash, 0)), path.slice(slash + 1)];
}

function withoutSlash(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, '') : path;
}

/** A path without the names of its parameters, and without a slash at its end. */
export function toNameless(path: string): string {
  return withoutSlash(path).replace(/\{[^{}]+\}/g, '{}');
}

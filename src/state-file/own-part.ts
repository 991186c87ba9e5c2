import { FILES, SECRETS, TOKENS } from '../actions/actions.ts';
import { isObject } from '../schema/schema.ts';
import { OWN_MEMBER } from '../seeding/seeding.ts';
import { collectionIn, type Service } from '../service/service.ts';
import {
  type CollectionSnapshot,
  type Entity,
  type Entry,
  isEntity,
  type Snapshot,
  type Store,
  toCollectionSnapshot,
} from '../store/store.ts';

/** What a state has beside the entities of its resources: the counters, sign-ins and uploaded files. */
interface OwnPart {
  /** By resource. */
  readonly counters?: Readonly<Record<string, CounterData>>;
  /** By the name of a collection that is not a resource. */
  readonly others?: Readonly<Record<string, CounterData & { readonly entries: readonly Entry[] }>>;
}

/** Where the keys of a collection go on. */
interface CounterData {
  readonly next?: number;
  /** Deleted keys that must not be generated again. */
  readonly retired?: readonly string[];
}

/** Writes that part as data; `undefined` if there is nothing in it. */
export function toOwnPart(service: Service, state: Snapshot): OwnPart | undefined {
  const counters = [...service.model.resources.keys()].flatMap((name) => {
    const counter = toCounterData(collectionIn(service, state, name));
    return Object.keys(counter).length > 0 ? [[name, counter] as const] : [];
  });
  const others = [...OTHERS.keys()].flatMap((name) => {
    const collection = Object.hasOwn(state.collections, name) ? state.collections[name] : undefined;
    return collection
      ? [[name, { ...toCounterData(collection), entries: [...collection.entries] }] as const]
      : [];
  });
  if (counters.length === 0 && others.length === 0) return undefined;
  return {
    ...(counters.length > 0 && { counters: Object.fromEntries(counters) }),
    ...(others.length > 0 && { others: Object.fromEntries(others) }),
  };
}

/** Puts that part into a store. Returns a sentence for what is wrong with it; the store must not be used then. */
export function putOwnPart(service: Service, store: Store, given: unknown): string | undefined {
  if (!isOwnPart(given)) return `${OWN_MEMBER} is not what the mock has written.`;
  const { counters = {}, others = {} } = given;
  const state = store.snapshot();
  for (const [name, counter] of Object.entries(counters)) {
    // The document may have lost the resource.
    if (service.model.resources.has(name))
      store.fill(name, withCounter(collectionIn(service, state, name), counter));
  }
  for (const [name, { entries, ...counter }] of Object.entries(others))
    if (isUsed(service, name)) store.fill(name, withCounter(toCollectionSnapshot(entries), counter));
  return undefined;
}

function toCounterData({ nextKey, retired }: CollectionSnapshot): CounterData {
  return { ...(nextKey > 1 && { next: nextKey }), ...(retired.length > 0 && { retired }) };
}

/** A collection whose next key is at least that of a counter. */
function withCounter(collection: CollectionSnapshot, { next = 1, retired = [] }: CounterData) {
  return toCollectionSnapshot(collection.entries, {
    nextKey: Math.max(next, collection.nextKey),
    scopes: Object.fromEntries(collection.scopes),
    retired,
  });
}

type IsMember = (entity: Entity) => boolean;

/** The collections that are not resources, with a check of what they hold. */
const OTHERS: ReadonlyMap<string, IsMember> = new Map<string, IsMember>([
  [
    TOKENS,
    (token) =>
      areStrings(token, ['text', 'users', 'user']) &&
      [token.login, token.expires].every(Number.isFinite) &&
      typeof token.isRevoked === 'boolean',
  ],
  [
    SECRETS,
    (secret) =>
      areStrings(secret, ['user']) &&
      [secret.password, secret.identity].every((each) => each === undefined || typeof each === 'string'),
  ],
  [
    FILES,
    (file) =>
      areStrings(file, ['id', 'owner']) &&
      (file.isGone === true || areStrings(file, ['mediaType', 'base64'])),
  ],
]);

function isUsed({ model }: Service, name: string): boolean {
  return (name === FILES ? model.files : model.users).size > 0;
}

function isOwnPart(given: unknown): given is OwnPart {
  if (!isEntity(given)) return false;
  const { counters = {}, others = {} } = given;
  if (!isEntity(counters) || !isEntity(others)) return false;
  return (
    Object.values(counters).every(isCounter) &&
    Object.entries(others).every(([name, other]) => {
      const isMember = OTHERS.get(name);
      if (!isMember || !isCounter(other) || !Array.isArray(other.entries)) return false;
      return other.entries.every(
        (entry: unknown) =>
          Array.isArray(entry) && typeof entry[0] === 'string' && isEntity(entry[1]) && isMember(entry[1]),
      );
    })
  );
}

function isCounter(given: unknown): given is Entity {
  if (!isEntity(given)) return false;
  const { next = 1, retired = [] } = given;
  const isNext = Number.isSafeInteger(next) && (next as number) >= 1;
  return isNext && Array.isArray(retired) && retired.every((key) => typeof key === 'string');
}

function areStrings(entity: Entity, names: readonly string[]): boolean {
  return isObject(entity) && names.every((name) => typeof entity[name] === 'string');
}

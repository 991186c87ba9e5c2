import { collectionIn, type Service } from '../../core/service/service.ts';
import { endCredentials, FILES, LOGINS, SECRETS, TOKENS } from '../../state/actions/actions.ts';
import { OWN_MEMBER } from '../../state/seeding/seeding.ts';
import {
  type CollectionSnapshot,
  type Entity,
  type Entries,
  isEntity,
  type Snapshot,
  type Store,
  toCollectionSnapshot,
} from '../../state/store/store.ts';

/** The parts of a state beside the entities of its resources, by the names of collections. */
export interface OwnPart {
  readonly counters: Readonly<Record<string, CounterData>>;
  /** Sign-ins and uploaded files: the collections that are not resources. */
  readonly others: Readonly<Record<string, Entries>>;
}

/** Where the keys of a collection go on. */
interface CounterData {
  readonly next?: number;
  /** Deleted keys that must not be generated again. */
  readonly retired?: readonly string[];
}

/** Describes that part of a state as data. */
export function toOwnPart(service: Service, state: Snapshot): OwnPart {
  const others = [...OTHERS.keys()].filter((name) => isUsed(service, name));
  const collections = [...service.model.resources.keys(), ...others].map(
    (name) => [name, collectionIn(service, state, name)] as const,
  );
  const counters = collections.map(([name, collection]) => [name, toCounterData(collection)] as const);
  return {
    counters: Object.fromEntries(counters.filter(([, counter]) => Object.keys(counter).length > 0)),
    others: Object.fromEntries(
      collections.flatMap(([name, { entries }]) => (OTHERS.has(name) ? [[name, [...entries]] as const] : [])),
    ),
  };
}

/** Puts that part into a store. Returns a sentence if it is wrong; the store is then as before. */
export function putOwnPart(service: Service, store: Store, given: unknown): string | undefined {
  if (!isOwnPart(given)) return `${OWN_MEMBER} is not what the mock has written.`;
  const { counters = {}, others = {} } = given;
  const state = store.snapshot();
  // The document may have lost some of them.
  const isKnown = (name: string) => service.model.resources.has(name) || isUsed(service, name);
  for (const name of new Set([...Object.keys(counters), ...Object.keys(others)].filter(isKnown))) {
    const entries = Object.hasOwn(others, name) ? others[name] : undefined;
    const collection = entries ? toCollectionSnapshot(entries) : collectionIn(service, state, name);
    store.fill(name, withCounter(collection, Object.hasOwn(counters, name) ? counters[name] : undefined));
  }
  // Somebody may have removed users from the file.
  for (const name of service.model.users) if (store.used.includes(name)) endCredentials(store, name);
  return undefined;
}

function toCounterData({ nextKey, retired }: CollectionSnapshot): CounterData {
  return { ...(nextKey > 1 && { next: nextKey }), ...(retired.length > 0 && { retired }) };
}

/** A collection whose next key is at least that of a counter. */
function withCounter(collection: CollectionSnapshot, { next = 1, retired = [] }: CounterData = {}) {
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
    LOGINS,
    (login) =>
      areStrings(login, ['users', 'user']) &&
      [login.number, login.issued].every(Number.isFinite) &&
      [login.subject, login.end].every((each) => each === undefined || typeof each === 'string'),
  ],
  [
    TOKENS,
    (token) =>
      typeof token.text === 'string' &&
      Number.isFinite(token.login) &&
      (token.kind === 'access' || token.kind === 'refresh'),
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
  return OTHERS.has(name) && (name === FILES ? model.files : model.users).size > 0;
}

function isOwnPart(given: unknown): given is Partial<OwnPart> {
  if (!isEntity(given)) return false;
  const { counters = {}, others = {} } = given;
  return (
    isEntity(counters) &&
    isEntity(others) &&
    Object.values(counters).every(isCounter) &&
    Object.entries(others).every(([name, entries]) => {
      const isMember = OTHERS.get(name);
      return (
        isMember !== undefined && Array.isArray(entries) && entries.every((each) => isEntry(each, isMember))
      );
    })
  );
}

function isEntry(given: unknown, isMember: IsMember): boolean {
  if (!Array.isArray(given) || given.length !== 2) return false;
  const [key, entity]: unknown[] = given;
  return typeof key === 'string' && isEntity(entity) && isMember(entity);
}

function isCounter(given: unknown): given is CounterData {
  if (!isEntity(given)) return false;
  const { next = 1, retired = [] } = given;
  const isNext = Number.isSafeInteger(next) && (next as number) >= 1 && (next as number) <= FARTHEST;
  return isNext && Array.isArray(retired) && retired.every((key) => typeof key === 'string');
}

/** Far from the end of the integers, where one more would be the same number. */
const FARTHEST = 2 ** 52;

function areStrings(entity: Entity, names: readonly string[]): boolean {
  return names.every((name) => typeof entity[name] === 'string');
}

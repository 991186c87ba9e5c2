import { toSnake } from './snake-case.ts';
import { isPlural, toSingular } from './words.ts';

/** A word of a path that begins with a verb. */
interface VerbPhrase {
  readonly role: PlaceRole;
  /** The word for the entities: `guide` of `createGuide`. Empty where there is only a verb. */
  readonly noun: string;
}

/** The effect of an operation on a collection. */
export type PlaceRole = 'list' | 'create' | 'read' | 'update' | 'remove';

const ROLES: Readonly<Record<string, PlaceRole>> = {
  ...{ add: 'create', create: 'create', new: 'create', insert: 'create', save: 'create' },
  ...{ edit: 'update', update: 'update', modify: 'update', change: 'update' },
  ...{ delete: 'remove', remove: 'remove', destroy: 'remove' },
  ...{ list: 'list', all: 'list', index: 'list', my: 'list', mine: 'list', search: 'list' },
  ...{ get: 'read', find: 'read', show: 'read', view: 'read', fetch: 'read', read: 'read', info: 'read' },
  ...{ detail: 'read', details: 'read' },
};

/** The methods that fit each role. */
const METHODS_BY_ROLE: Readonly<Record<PlaceRole, RegExp>> = {
  list: /^GET$/,
  create: /^(POST|PUT)$/,
  read: /^GET$/,
  update: /^(PUT|PATCH|POST)$/,
  remove: /^(DELETE|POST)$/,
};

const FILLERS = new Set(['a', 'all', 'by', 'id', 'my', 'one', 'the']);

/** Reads a word that begins with a verb, such as `add`, `findAll`, `getMyGuides` or `delete-user`. */
export function readVerb(word: string, method: string): VerbPhrase | undefined {
  const [first = '', ...others] = toSnake(word).split('_');
  const verb = Object.hasOwn(ROLES, first) ? ROLES[first] : undefined;
  if (verb === undefined) return undefined;
  const noun = others.filter((each) => !FILLERS.has(each)).join('_');
  const lists = others.includes('all') || others.includes('my') || isPlural(noun);
  const role = verb === 'read' && lists ? 'list' : verb;
  return METHODS_BY_ROLE[role].test(method) ? { role, noun: toSingular(noun) } : undefined;
}

/** Reads the last word of an RPC path, such as `documents.list`, whose HTTP method means nothing. */
export function readRpc(word: string): (VerbPhrase & { readonly collection: string }) | undefined {
  const [, collection = '', verb = ''] = /^([\w-]+)\.(\w+)$/.exec(word) ?? [];
  const role = Object.hasOwn(ROLES, verb) ? ROLES[verb] : undefined;
  return role && { role, noun: '', collection };
}

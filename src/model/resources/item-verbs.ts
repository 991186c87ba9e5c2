import type { Methods } from './places.ts';
import { toSnake } from './snake-case.ts';

/** A verb below an item, by the last word of its path: `cancel`, `unpublish`, `mark-as-read`. */
export interface ItemVerb {
  /** The verb in snake_case; the one that is undone, where it undoes one: `publish` of `unpublish`. */
  readonly base: string;
  /** The states of the item afterwards: `cancelled`, `canceled`. */
  readonly forms: readonly string[];
  /** The states that it leaves: `unpublished` after a publication. */
  readonly opposites: readonly string[];
  /** Whether it undoes its base. */
  readonly undoes: boolean;
  /** Whether it is a verb without doubt, so that an item needs no property for it. */
  readonly isKnown: boolean;
}

/** The states of verbs whose regular form is not enough. */
const IRREGULAR: Readonly<Record<string, string>> = {
  ...{ cancel: 'cancelled canceled', void: 'voided void', publish: 'published live', submit: 'submitted' },
  ...{ complete: 'completed complete done', finish: 'finished done completed', resolve: 'resolved' },
  ...{ reject: 'rejected declined', decline: 'declined rejected', follow: 'following followed' },
  ...{ activate: 'active activated', deactivate: 'inactive deactivated', open: 'open opened' },
  ...{ enable: 'enabled', disable: 'disabled', pay: 'paid', ship: 'shipped', send: 'sent', read: 'read' },
  ...{ start: 'started in_progress running', stop: 'stopped', begin: 'begun started in_progress' },
  ...{ resume: 'resumed running active', hide: 'hidden', show: 'shown visible', ban: 'banned' },
  ...{ reopen: 'reopened open', restore: 'restored', withdraw: 'withdrawn', check_in: 'checked_in' },
  ...{ check_out: 'checked_out', sign: 'signed', freeze: 'frozen', default: 'default' },
};

/** Verbs with a regular form. */
const REGULAR = new Set(
  (
    'accept acknowledge approve archive arm assign block bookmark close confirm deliver dismiss dispatch expire fail ' +
    'favorite flag fulfill like lock mute pause pin promote refund revoke save schedule star subscribe suspend ' +
    'terminate upvote verify watch'
  ).split(' '),
);

/** Verbs that undo another one without being named after it. */
const UNDOING: Readonly<Record<string, string>> = {
  ...{ deactivate: 'activate', disable: 'enable', hide: 'show' },
  ...{ open: 'close', reopen: 'close', resume: 'pause', restore: 'archive' },
};

/** The verbs without doubt, for which an item needs no property. */
const KNOWN_VERBS: readonly string[] = [...Object.keys(IRREGULAR), ...REGULAR].filter(
  // These also name things.
  (verb) => !['default', 'show', 'sign', 'schedule', 'void'].includes(verb),
);

const KNOWN: ReadonlySet<string> = new Set(KNOWN_VERBS);

/** The methods of operations that may change an item. */
export const CHANGING: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Whether an operation below an item changes it, as far as its path says. */
export function hasItemVerb(paths: ReadonlyMap<string, Methods>, itemPath: string): boolean {
  const start = itemPath.slice(0, itemPath.lastIndexOf('{') + 1);
  return [...paths].some(([path, methods]) => {
    // The item may have another name there.
    const [, word] = (path.startsWith(start) && /^[^{}]+\}\/([^/{}]+)$/.exec(path.slice(start.length))) || [];
    return (
      word !== undefined &&
      KNOWN.has(toPlain(word)) &&
      [...methods.keys()].some((method) => CHANGING.has(method))
    );
  });
}

/** Reads the last word of a path as a verb. Any word may be one; whether it is shows in the properties of the item. */
export function readItemVerb(word: string): ItemVerb {
  const snake = toPlain(word);
  const [, as, un, form] = /^mark_(as_)?(un)?(\w+)$/.exec(snake) ?? [];
  if (form !== undefined) return toMarked(form, as !== undefined, un !== undefined);
  const undone = /^un_?(\w{3,})$/.exec(snake)?.[1];
  if (undone !== undefined && !KNOWN.has(snake)) return invert(toVerb(undone));
  return toVerb(snake);
}

/** The verb that undoes another one: what DELETE does. */
export function invert({ forms, opposites, undoes, ...verb }: ItemVerb): ItemVerb {
  return { ...verb, forms: opposites, opposites: forms, undoes: !undoes };
}

/** A name in snake_case and American spelling. */
export function toPlain(name: string): string {
  return toSnake(name).replace('favour', 'favor');
}

function toVerb(base: string): ItemVerb {
  const isKnown = KNOWN.has(base);
  const forms = formsOf(base);
  const undone = lookUp(UNDOING, base);
  if (undone !== undefined) return { base: undone, forms, opposites: formsOf(undone), undoes: true, isKnown };
  const undoing = Object.keys(UNDOING).filter((each) => UNDOING[each] === base);
  const opposites = [...undoing.flatMap(formsOf), ...forms.map((form) => `un${form}`)];
  return { base, forms, opposites, undoes: false, isKnown };
}

/** The verb of `mark-as-paid`, which says itself what the item is afterwards. */
function toMarked(form: string, isSaid: boolean, undoes: boolean): ItemVerb {
  const known = KNOWN_VERBS.find((verb) => formsOf(verb).includes(form));
  const [base, isKnown] = [known ?? form, isSaid || known !== undefined];
  const verb = { base, forms: [form], opposites: [`un${form}`], undoes: false, isKnown };
  return undoes ? invert(verb) : verb;
}

function formsOf(base: string): readonly string[] {
  return lookUp(IRREGULAR, base)?.split(' ') ?? toRegularForms(base);
}

/** The forms in -ed: `approved`, `verified`, `flagged`. */
function toRegularForms(base: string): string[] {
  if (base.endsWith('e')) return [`${base}d`];
  if (/[^aeiou]y$/.test(base)) return [`${base.slice(0, -1)}ied`];
  const doubles = /[^aeiou][aeiou][^aeiouwxy]$/.test(base);
  return [`${base}ed`, ...(doubles ? [`${base}${base.at(-1)}ed`] : [])];
}

function lookUp(table: Readonly<Record<string, string>>, word: string): string | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}

import { createCache } from '../../base/cache.ts';
import { toDate } from '../../base/clock.ts';
import type { Violation } from '../../base/problem.ts';
import { toPointer } from '../../schema/schema.ts';
import { type Facts, toField, toPhrase } from './facts.ts';
import { MESSAGE_NAMES, normalizeName } from './member-names.ts';

/** The context that decides about the meaning of a member beside its name. */
export interface Kin {
  /** Whether it belongs to an item of a list of errors. */
  readonly item: boolean;
  readonly required: boolean;
  /** Whether a sibling takes the message. */
  readonly message: boolean;
  /** Whether the object has a numeric `code`. */
  readonly numericCode: boolean;
  /** Whether its siblings are members of RFC 9457. */
  readonly problemDetails: boolean;
}

/** Values for a member, the best one first. */
export interface Meaning {
  /** Whether they say what went wrong. */
  readonly says: boolean;
  values(facts: Facts, kin: Kin): readonly unknown[];
}

/** Finds the meaning of a member of an error body by its name. */
export function findMeaning(name: string, { item }: Kin): Meaning | undefined {
  const plain = normalizeName(name);
  const entries = item ? [...ITEM_MEANINGS, ...MEANINGS] : [...MEANINGS, ...BODY_MEANINGS];
  return entries.find(([names]) => names.test(plain))?.[1];
}

const messages = ({ violation, message, status }: Facts): unknown[] => [
  violation?.message ?? message,
  toPhrase(status),
];

/** The code in every spelling that a schema may require. */
export const toCodes = ({ code, status }: Facts): readonly unknown[] => [
  ...toSpellings(code),
  ...toSpellings(toPhraseCode(toPhrase(status))),
  String(status),
  status,
];

const statuses = ({ status }: Facts, { numericCode }: Kin): unknown[] => {
  const name = toPhraseCode(toPhrase(status)).toUpperCase();
  return numericCode ? [status, name, String(status)] : [status, String(status), name];
};

const types = (facts: Facts, { problemDetails }: Kin): unknown[] => {
  const uris = ['about:blank', 'https://www.rfc-editor.org/rfc/rfc9110.html#section-15'];
  return problemDetails ? [...uris, ...toCodes(facts)] : [...toCodes(facts), ...uris];
};

/** The time in every form that a schema may require. */
export const toTimes = ({ now }: Facts): unknown[] => {
  const iso = toDate(now).toISOString();
  const seconds = Math.floor(now / 1000);
  return [iso, iso.slice(0, 10), iso.slice(11), iso.slice(11, 19), now, seconds, String(seconds)];
};

const MEANINGS: readonly (readonly [RegExp, Meaning])[] = [
  [MESSAGE_NAMES, { says: true, values: messages }],
  // Takes the message, or its short form beside a message.
  [/^(reason|error|err)$/, { says: true, values: (facts, kin) => toReason(facts, kin) }],
  [/^(error|err)?code$|^errorkey$/, { says: true, values: toCodes }],
  [/^(error)?type$/, { says: true, values: types }],
  [/^title$|^statustext$|^(http)?reasonphrase$/, { says: true, values: ({ status }) => [toPhrase(status)] }],
  [/^(http)?status(code)?$|^httpcode$/, { says: false, values: statuses }],
  [/^(timestamp|time|date|datetime|occurredat|createdat)$/, { says: false, values: toTimes }],
  [/^(success|ok)$/, { says: false, values: () => [false] }],
];

const BODY_MEANINGS: readonly (readonly [RegExp, Meaning])[] = [
  [/^name$/, { says: true, values: (facts) => [toPhrase(facts.status), ...toCodes(facts)] }],
  [
    /^(instance|(request)?(path|uri))$/,
    { says: false, values: ({ path }) => (path === '' ? [] : [path, `http://localhost${path}`]) },
  ],
];

const ITEM_MEANINGS: readonly (readonly [RegExp, Meaning])[] = [
  [
    /^(field|property|param|parameter|argument|attribute)(name)?$|^(name|key|target)$/,
    locationMeaning((violation) => [toField(violation)]),
  ],
  [
    /^(path|location|loc|source|where)$|^(field|property)path$/,
    locationMeaning(({ location }) => [location, splitLocation(location)]),
  ],
  [/^(json)?pointer$/, locationMeaning(toPointers, ['#', '', '/'])],
  [/^(in|place)$/, locationMeaning(({ location }) => splitLocation(location).slice(0, 1))],
];

/** The location of a violation. For an error of the whole request only a required member names one. */
function locationMeaning(
  toValues: (violation: Violation) => readonly unknown[],
  whole: readonly unknown[] = ['request', ['request']],
): Meaning {
  return {
    says: false,
    values: ({ violation }, { required }) => (violation ? toValues(violation) : required ? whole : []),
  };
}

function toReason(facts: Facts, { message }: Kin): unknown[] {
  return message ? [...toCodes(facts), true] : [...messages(facts), ...toCodes(facts), true];
}

/** `body.tags[0]` → `body`, `tags`, `0` */
function splitLocation(location: string): string[] {
  return location.split(/[.[\]]+/).filter((step) => step !== '');
}

/** JSON pointers from the body on: a fragment as in RFC 9457, and the bare pointer. */
function toPointers({ location }: Violation): string[] {
  const steps = splitLocation(location);
  const below = steps[0] === 'body' ? steps.slice(1) : steps;
  const pointer = toPointer(below);
  return [`#${pointer}`, pointer];
}

/** `Not Found` → `not_found` */
const toPhraseCode = cached((phrase) =>
  phrase
    .toLowerCase()
    .replaceAll("'", '')
    .replace(/[^a-z0-9]+/g, '_'),
);

const toSpellings = cached((code): readonly string[] => {
  const camel = code.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  const pascal = camel.replace(/^[a-z]/, (letter) => letter.toUpperCase());
  return [code, code.toUpperCase(), pascal, camel, code.replaceAll('_', '-')];
});

/** Programs cause few different codes and statuses. */
function cached<V>(make: (key: string) => V): (key: string) => V {
  const cache = createCache<V>({ entries: 200 });
  return (key) => {
    const known = cache.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    cache.set(key, made);
    return made;
  };
}

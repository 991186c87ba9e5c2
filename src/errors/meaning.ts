import { STATUS_CODES } from 'node:http';
import { toDate } from '../clock.ts';
import type { Problem, Violation } from '../problem.ts';

/** What there is to say in the body of an error answer. */
export interface Facts {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** The path of the request; empty where there is none. */
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** What a list of errors in the body is made of. */
  readonly violations: readonly Violation[];
  /** In an item of such a list: the one that it is about; `undefined` where it is about the whole request. */
  readonly violation: Violation | undefined;
}

/** What decides about the meaning of a member beside its name. */
export interface Kin {
  /** It belongs to an item of a list of errors. */
  readonly item: boolean;
  readonly required: boolean;
  /** A member beside it takes the message. */
  readonly message: boolean;
  /** A number beside it takes the status. */
  readonly numericCode: boolean;
  /** The members beside it are those of RFC 9457. */
  readonly problemDetails: boolean;
}

/** Values for a member, the best one first. */
export interface Meaning {
  /** Whether they say what went wrong. */
  readonly says: boolean;
  values(facts: Facts, kin: Kin): readonly unknown[];
}

/** A client is not helped by thousands of them; the message says how many there are. */
const KEPT_VIOLATIONS = 100;

/** Where and when an error occurs. */
export interface Occurrence {
  /** The path of the request; empty where there is none. */
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export function toFacts({ status, code, message, violations }: Problem, { path, now }: Occurrence): Facts {
  const kept = violations.slice(0, KEPT_VIOLATIONS);
  return { status, code, message, path, now, violations: kept, violation: undefined };
}

/** What a member of an error body means, by its name. */
export function findMeaning(name: string, { item }: Kin): Meaning | undefined {
  const plain = toPlain(name);
  const entries = item ? [...ITEM_MEANINGS, ...MEANINGS] : [...MEANINGS, ...BODY_MEANINGS];
  return entries.find(([names]) => names.test(plain))?.[1];
}

export function isMessageName(name: string): boolean {
  return MESSAGE_NAMES.test(toPlain(name));
}

/** Whether an object of this name may hold the error. */
export function isWrapperName(name: string): boolean {
  return /error|^(err|fault|problem|exception|failure|status|meta|response|result|body)$/.test(toPlain(name));
}

/** Whether a list of this name may hold one error for each violation. */
export function isListName(name: string): boolean {
  return /errors$|violations$|details?$|^(invalidparams|issues|problems|causes|reasons|messages?|errorlist)$/.test(
    toPlain(name),
  );
}

export function toPhrase(status: number): string {
  return STATUS_CODES[status] ?? `Status ${status}`;
}

/** `body.tags[0]` → `tags[0]`; the place itself where nothing follows it. */
export function toField({ location }: Violation): string {
  return location.replace(/^[a-z]+(\.|(?=\[))/, '');
}

/** `error_code`, `errorCode` and `ErrorCode` → `errorcode` */
export function toPlain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

const MESSAGE_NAMES =
  /^(error|user|developer|human|status)?(message|msg|description|text)$|^(error)?details?$|^(explanation|summary)$/;

const messages = ({ violation, message, status }: Facts): unknown[] => [
  violation?.message ?? message,
  toPhrase(status),
];

/** The code in every spelling that a pattern may ask for. */
const codes = ({ code, status }: Facts): readonly unknown[] => [
  ...toSpellings(code),
  ...toSpellings(toName(status)),
  String(status),
  status,
];

const statuses = ({ status }: Facts, { numericCode }: Kin): unknown[] => {
  const name = toName(status).toUpperCase();
  return numericCode ? [status, name, String(status)] : [status, String(status), name];
};

const types = (facts: Facts, { problemDetails }: Kin): unknown[] => {
  const uris = ['about:blank', 'https://www.rfc-editor.org/rfc/rfc9110.html#section-15'];
  return problemDetails ? [...uris, ...codes(facts)] : [...codes(facts), ...uris];
};

const times = ({ now }: Facts): unknown[] => {
  const iso = toDate(now).toISOString();
  const seconds = Math.floor(now / 1000);
  return [iso, iso.slice(0, 10), iso.slice(11), iso.slice(11, 19), now, seconds, String(seconds)];
};

const MEANINGS: readonly (readonly [RegExp, Meaning])[] = [
  [MESSAGE_NAMES, { says: true, values: messages }],
  // Alone it is all that is said; beside a message it is the short form of it.
  [/^(reason|error|err)$/, { says: true, values: (facts, kin) => toReason(facts, kin) }],
  [/^(error|err)?code$|^errorkey$/, { says: true, values: codes }],
  [/^(error)?type$/, { says: true, values: types }],
  [/^title$|^statustext$|^(http)?reasonphrase$/, { says: true, values: ({ status }) => [toPhrase(status)] }],
  [/^(http)?status(code)?$|^httpcode$/, { says: false, values: statuses }],
  [/^(timestamp|time|date|datetime|occurredat|createdat)$/, { says: false, values: times }],
  [/^(success|ok)$/, { says: false, values: () => [false] }],
];

const BODY_MEANINGS: readonly (readonly [RegExp, Meaning])[] = [
  [/^name$/, { says: true, values: (facts) => [toPhrase(facts.status), ...codes(facts)] }],
  [
    /^(instance|(request)?(path|uri))$/,
    { says: false, values: ({ path }) => (path === '' ? [] : [path, `http://localhost${path}`]) },
  ],
];

const ITEM_MEANINGS: readonly (readonly [RegExp, Meaning])[] = [
  [
    /^(field|property|param|parameter|argument|attribute)(name)?$|^(name|key|target)$/,
    toPlace((violation) => [toField(violation)]),
  ],
  [
    /^(path|location|loc|source|where)$|^(field|property)path$/,
    toPlace(({ location }) => [location, toSteps(location)]),
  ],
  [/^(json)?pointer$/, toPlace(toPointers, ['#', '', '/'])],
  [/^(in|place)$/, toPlace(({ location }) => toSteps(location).slice(0, 1))],
];

/** Where a violation is. An error of the whole request is nowhere else, which is said only where it must be. */
function toPlace(
  toValues: (violation: Violation) => readonly unknown[],
  whole: readonly unknown[] = ['request', ['request']],
): Meaning {
  return {
    says: false,
    values: ({ violation }, { required }) => (violation ? toValues(violation) : required ? whole : []),
  };
}

function toReason(facts: Facts, { message }: Kin): unknown[] {
  return message ? [...codes(facts), true] : [...messages(facts), ...codes(facts), true];
}

/** `body.tags[0]` → `body`, `tags`, `0` */
function toSteps(location: string): string[] {
  return location.split(/[.[\]]+/).filter((step) => step !== '');
}

/** RFC 9457 has it as a fragment, which starts at the body; others without the `#`. */
function toPointers({ location }: Violation): string[] {
  const steps = toSteps(location);
  const below = steps[0] === 'body' ? steps.slice(1) : steps;
  const pointer = below.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return [`#${pointer}`, pointer];
}

/** `404` → `not_found` */
const toName = remember((status: number) =>
  toPhrase(status)
    .toLowerCase()
    .replaceAll("'", '')
    .replace(/[^a-z0-9]+/g, '_'),
);

const toSpellings = remember((code: string): readonly string[] => {
  const camel = code.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  const pascal = camel.replace(/^[a-z]/, (letter) => letter.toUpperCase());
  return [code, code.toUpperCase(), pascal, camel, code.replaceAll('_', '-')];
});

/** Codes and statuses are few, and most of what is asked of them is their first spelling. */
function remember<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}

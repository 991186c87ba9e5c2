import type { FaultRule } from './faults.ts';
import type { LifecycleFacts } from './lifecycle/facts.ts';
import type { ResourceOverride } from './resources.ts';
import { isObject } from './schema.ts';

/** A value that was read, or the sentence that says why it could not be. */
export type Reading = { readonly value: unknown } | { readonly mistake: string };

export function text(value: unknown): Reading {
  return typeof value === 'string' && value !== ''
    ? { value }
    : { mistake: 'must be a text that is not empty' };
}

export function truth(value: unknown): Reading {
  if (value === true || value === 'true' || value === '1') return { value: true };
  if (value === false || value === 'false' || value === '0') return { value: false };
  return { mistake: 'must be true or false' };
}

export function integer(low: number, high: number): (value: unknown) => Reading {
  return (value) => {
    const number = toInteger(value);
    if (number !== undefined && number >= low && number <= high) return { value: number };
    return { mistake: `must be an integer from ${low} to ${high}` };
  };
}

export function oneOf(words: readonly string[]): (value: unknown) => Reading {
  return (value) =>
    words.includes(value as string) ? { value } : { mistake: `must be one of ${words.join(', ')}` };
}

export function delay(value: unknown): Reading {
  const bounds = (typeof value === 'string' ? value.split('-') : [value].flat()).map(toInteger);
  const [from, to = from] = bounds;
  const readable = bounds.length <= 2 && bounds.every((bound) => bound !== undefined);
  if (!readable || from === undefined || to === undefined || from > to || to > MAX_DELAY_MS) {
    return { mistake: `must be milliseconds up to ${MAX_DELAY_MS}, like 200, or a range, like 100-500` };
  }
  return { value: [from, to] };
}

/** Ten minutes: no client waits longer, and a timer of more than 24 days would fire at once. */
const MAX_DELAY_MS = 600_000;

const RULE_MEMBERS: Readonly<Record<keyof FaultRule, (value: unknown) => boolean>> = {
  operation: (value) => typeof value === 'string',
  status: (value) => Number.isSafeInteger(value),
  code: (value) => typeof value === 'string',
  message: (value) => typeof value === 'string',
  headers: (value) => isObject(value) && Object.values(value).every((member) => typeof member === 'string'),
  delay: (value) => 'value' in delay(value) && typeof value === 'number',
  probability: (value) => typeof value === 'number',
  times: (value) => Number.isSafeInteger(value) && Number(value) > 0,
};

export function rules(value: unknown): Reading {
  const list = [value].flat();
  for (const rule of list) {
    const mistake = typeof rule === 'string' ? undefined : findWrongMember(rule, RULE_MEMBERS, ['operation']);
    if (mistake) return { mistake: `must be rules like "getPet=503" or objects: ${mistake}` };
  }
  return { value: list };
}

const isText = (value: unknown): boolean => typeof value === 'string';

const LIFECYCLE_MEMBERS: Readonly<Record<keyof LifecycleFacts, (value: unknown) => boolean>> = {
  deprecated: (value) => typeof value === 'boolean',
  deprecation: isText,
  sunset: isText,
  successor: isText,
  deprecationLink: isText,
  sunsetLink: isText,
  stability: isText,
};

/** Whether nothing has state, or the names of the resources that have none: a list, or a text with commas. */
export function stateless(value: unknown): Reading {
  const all = truth(value);
  if ('value' in all) return all;
  const names = typeof value === 'string' ? value.split(',').map((name) => name.trim()) : value;
  return Array.isArray(names) && names.length > 0 && names.every((name) => isText(name) && name !== '')
    ? { value: names }
    : { mistake: 'must be true, false or names of resources' };
}

const OVERRIDE_MEMBERS: Readonly<Record<keyof ResourceOverride, (value: unknown) => boolean>> = {
  collection: isText,
  item: isText,
  key: isText,
};

export function resources(value: unknown): Reading {
  if (!isObject(value) || Array.isArray(value))
    return { mistake: 'must map names of resources to false, or to their collection, item and key' };
  for (const [name, override] of Object.entries(value)) {
    const mistake = override === false ? undefined : findWrongMember(override, OVERRIDE_MEMBERS, []);
    if (mistake) return { mistake: `must be right for ${name}: ${mistake}` };
  }
  return { value };
}

export function lifecycle(value: unknown): Reading {
  if (!isObject(value) || Array.isArray(value)) return { mistake: 'must map operations to their lifecycle' };
  for (const [operation, facts] of Object.entries(value)) {
    const mistake = findWrongMember(facts, LIFECYCLE_MEMBERS, []);
    if (mistake) return { mistake: `must be right for ${operation}: ${mistake}` };
  }
  return { value };
}

function findWrongMember(
  value: unknown,
  members: Readonly<Record<string, (value: unknown) => boolean>>,
  required: readonly string[],
): string | undefined {
  if (!isObject(value) || Array.isArray(value)) return 'expected an object';
  for (const name of required) if (!(name in value)) return `"${name}" is missing`;
  for (const [name, member] of Object.entries(value)) {
    if (!Object.hasOwn(members, name))
      return `"${name}" is unknown; there are ${Object.keys(members).join(', ')}`;
    if (!members[name]?.(member)) return `"${name}" can't be ${JSON.stringify(member)}`;
  }
  return undefined;
}

function toInteger(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : undefined;
}

/** A sentence for every member of the library's options that is unknown or wrong. */
export function findOptionMistakes(options: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const read = Object.hasOwn(LIBRARY_OPTIONS, name) ? LIBRARY_OPTIONS[name] : undefined;
    if (!read) return [`${name} is no option. There are ${Object.keys(LIBRARY_OPTIONS).join(', ')}.`];
    const reading = read(value);
    return 'mistake' in reading ? [`${name} ${reading.mistake}.`] : [];
  });
}

const LIBRARY_OPTIONS: Readonly<Record<string, (value: unknown) => Reading>> = {
  spec: (value) => (isObject(value) ? { value } : text(value)),
  allowRemoteRefs: truth,
  auth: truth,
  fixtures: text,
  empty: truth,
  // A text is for command line and environment; here a list is a list.
  stateless: (value) => stateless(typeof value === 'string' ? undefined : value),
  resources,
  seed: integer(0, Number.MAX_SAFE_INTEGER),
  delay,
  errors: rules,
  lifecycle,
  cors: truth,
  onExchange: (value) => (typeof value === 'function' ? { value } : { mistake: 'must be a function' }),
};

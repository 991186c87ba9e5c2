import { readFraction } from '../../base/number.ts';
import type { Entity } from '../store/store.ts';
import { memberOf } from './json-object.ts';

/** A requirement on a property other than equality: a member has a value, or a property or member lies on one side of a bound. */
export interface Condition {
  readonly property: string;
  /** The member to compare instead: of the object, or of any object in the list. */
  readonly member?: string | undefined;
  readonly bound?: Bound | undefined;
  /** The value, or the values: any of a member, all of a bound. */
  readonly wanted: unknown;
}

/** One side of a value. */
export interface Bound {
  readonly side: 'least' | 'most';
  /** Whether the value itself is excluded. */
  readonly strict: boolean;
}

/** Makes the test of a condition. A value that cannot be compared passes none. */
export function toConditionTest({ property, member, bound, wanted }: Condition): (entity: Entity) => boolean {
  const list = [wanted].flat();
  if (bound) {
    const test = toBoundTest(bound, list);
    return (entity) => {
      const value = memberOf(entity, property);
      const span = toSpan(member === undefined ? value : memberOf(value, member));
      return span !== undefined && test(span);
    };
  }
  const values = new Set(list.map(String));
  return (entity) =>
    [memberOf(entity, property)].flat().some((each) => {
      const value = memberOf(each, member ?? '');
      return isScalar(value) && values.has(String(value));
    });
}

function isScalar(value: unknown): boolean {
  return value !== undefined && value !== null && typeof value !== 'object';
}

/** A number, or a time: a day lasts from its first to its last millisecond. */
interface Span {
  readonly kind: 'number' | 'time';
  readonly first: number | bigint;
  readonly last: number | bigint;
}

/** The test of the narrowest of several limits, so that more of them take no longer. */
function toBoundTest({ side, strict }: Bound, wanted: readonly unknown[]): (span: Span) => boolean {
  const isLeast = side === 'least';
  let kind: Span['kind'] | undefined;
  let edge: number | bigint | undefined;
  for (const each of wanted) {
    const limit = toSpan(each);
    if (!limit || (kind !== undefined && limit.kind !== kind)) return () => false;
    const own = isLeast === strict ? limit.last : limit.first;
    kind = limit.kind;
    if (edge === undefined || (isLeast ? own > edge : own < edge)) edge = own;
  }
  if (edge === undefined) return () => false;
  const limit = edge;
  return (span) => {
    if (span.kind !== kind) return false;
    if (isLeast) return strict ? span.first > limit : span.first >= limit;
    return strict ? span.last < limit : span.last <= limit;
  };
}

const DAY_IN_MS = 24 * 60 * 60 * 1000;

/** The longest text of a number or time. */
const LONGEST_NUMBER = 400;

function toSpan(value: unknown): Span | undefined {
  if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isNaN(value)))
    return { kind: 'number', first: value, last: value };
  if (typeof value !== 'string' || value.length > LONGEST_NUMBER) return undefined;
  const number = readFraction(value);
  if (number !== undefined) return { kind: 'number', first: number, last: number };
  const [, day, time, zone = 'Z'] = TIME.exec(value) ?? [];
  if (day === undefined) return undefined;
  const first = Date.parse(`${day}T${time ?? '00:00'}${zone.toUpperCase()}`);
  if (Number.isNaN(first)) return undefined;
  return { kind: 'time', first, last: time === undefined ? first + DAY_IN_MS - 1 : first };
}

/** A day, or a time in UTC unless it has a zone. Fractions of a millisecond are ignored. */
const TIME = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)([Zz]|[+-]\d\d:\d\d)?)?$/;

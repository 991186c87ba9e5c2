import { parseInstant, SYSTEM_CLOCK, toHttpDate } from '../../base/clock.ts';
import type { Resource } from '../../model/resources/resources.ts';
import type { HeaderFields, Outcome } from '../../wire/message/message.ts';
import type { Entity } from '../store/store.ts';
import type { AttributesSpec } from './attributes.ts';
import { isUpdateTime } from './fresh.ts';
import { memberOf } from './json-object.ts';

/** The time of the last change of an entity, in milliseconds since the epoch; `undefined` for one that does not have it. */
export type ModifiedOf = (entity: Entity) => number | undefined;

/** Builds the reader of the time of the last change; `undefined` if no property of a resource can hold it. */
export function buildModifiedOf(
  { schema, properties }: Resource,
  attributes: AttributesSpec | undefined,
): ModifiedOf | undefined {
  const own = properties.map((name) => [name]);
  const nested = attributes ? [...attributes.schema.sharedProperties.keys()] : [];
  const paths = [...own, ...nested.map((name) => [attributes?.property ?? '', name])].filter(
    (path) => isUpdateTime(path.at(-1) ?? '') && schema.at(path).types.includes('string'),
  );
  if (paths.length === 0) return undefined;
  return (entity) => {
    const times = paths.flatMap((path) => toTime(path.reduce(memberOf, entity as unknown)) ?? []);
    return times.length === 0 ? undefined : Math.max(...times);
  };
}

/** A day is too long to notice the second change. */
function toTime(value: unknown): number | undefined {
  return typeof value === 'string' && value.includes(':') ? parseInstant(value) : undefined;
}

/** The parts of a call that `Last-Modified` follows from. */
interface Call {
  readonly spec: { readonly modifiedOf: ModifiedOf | undefined };
  readonly now: number;
}

/** Adds `Last-Modified` to the answer with an entity that has the time of its last change. */
export function withModified({ spec, now }: Call, entity: Entity, outcome: Outcome): Outcome {
  const modified = spec.modifiedOf?.(entity);
  if (modified === undefined) return outcome;
  return { ...outcome, headers: { ...outcome.headers, ...toModifiedHeaders(modified, now) } };
}

/**
 * `Last-Modified` must not be later than `Date` (RFC 9110 section 8.8.2.1), which Node takes from the system. So where the time of
 * the session has gone ahead, `Date` goes with it.
 */
function toModifiedHeaders(modified: number, now: number): HeaderFields {
  if (modified <= SYSTEM_CLOCK.now()) return { 'Last-Modified': toSeconds(modified) };
  return { 'Last-Modified': toSeconds(Math.min(modified, now)), Date: toSeconds(now) };
}

function toSeconds(milliseconds: number): string {
  return toHttpDate(Math.floor(milliseconds / 1000));
}

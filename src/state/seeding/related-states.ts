import { toSnake } from '../../model/resources/resources.ts';
import { type Changes, type Member, NO_CHANGES, type Relation } from './relation.ts';
import { CREATED, UPDATED } from './time-names.ts';

/** A time at which an entity enters a state: `cancelled_at`. */
interface StateTime {
  readonly key: string;
  /** `cancelled` */
  readonly state: string;
  readonly isRemoval: boolean;
  readonly isDay: boolean;
}

/**
 * Sets the time of a state to null until the entity reaches that state, and to the time of its last change from then on if it has none.
 * Deletion and other ends count only if a status or a boolean shows them.
 */
export const relateStates: Relation = (members) => {
  const times = members.flatMap(toStateTime);
  if (times.length === 0) return undefined;
  const statuses = members.filter(({ name }) => STATE_NAME.test(name));
  const known = [UPDATED, CREATED].flatMap((pattern) => members.filter(({ name }) => pattern.test(name)));
  return (object, isFree) => {
    const last = known.map(({ key }) => object[key]).find(isText);
    const free = times.filter(({ key }) => object[key] !== undefined && isFree(key));
    return free.flatMap((time): Changes => {
      const said = saysBoolean(members, object, time) ?? saysStatus(statuses, object, time);
      return toTimeChange(time, object[time.key], said ?? (time.isRemoval ? false : undefined), last);
    });
  };
};

/** Corrects the time of a state. `happened` is `undefined` if no member shows whether the entity reached it. */
function toTimeChange(
  { key, isDay }: StateTime,
  value: unknown,
  happened: boolean | undefined,
  last: string | undefined,
): Changes {
  if (happened === false && value !== null) return [[key, null]];
  if (happened !== true || value !== null || last === undefined) return NO_CHANGES;
  return [[key, isDay ? last.slice(0, 'YYYY-MM-DD'.length) : last]];
}

const STATE_NAME = /(^|_)(status|state)$/;
const STATE_TIME = /^([a-z]+(?:_[a-z]+)?)_(?:at|on|date|time|timestamp)$/;
const REMOVAL =
  /^(deleted|removed|archived|canceled|revoked|banned|suspended|blocked|disabled|deactivated|rejected|refunded|failed)$/;

function toStateTime({ key, name, schema }: Member): StateTime[] {
  const state = toState(STATE_TIME.exec(name)?.[1] ?? '');
  if (state === '' || !schema.types.includes('string') || !schema.isNullable) return [];
  return [{ key, state, isRemoval: REMOVAL.test(state), isDay: schema.keywords.format === 'date' }];
}

function toState(word: unknown): string {
  return toSnake(String(word)).replace('cancelled', 'canceled');
}

/** Whether a boolean such as `is_deleted` shows that a state was reached; `undefined` without one. */
function saysBoolean(
  members: readonly Member[],
  object: Readonly<Record<string, unknown>>,
  { state }: StateTime,
) {
  const found = members.find(({ name }) => toState(name).replace(/^(is|has_been|was)_/, '') === state);
  const value = found && object[found.key];
  return typeof value === 'boolean' ? value : undefined;
}

/** Whether the status shows that a state was reached: it is that state, or a later one in the order of the document. */
function saysStatus(
  statuses: readonly Member[],
  object: Readonly<Record<string, unknown>>,
  { state, isRemoval }: StateTime,
) {
  for (const { key, schema } of statuses) {
    const status = toState(object[key]);
    if (status === state) return true;
    const values = Array.isArray(schema.keywords.enum) ? schema.keywords.enum.map(toState) : [];
    const own = values.indexOf(state);
    // A canceled order may have been shipped or not.
    if (own >= 0 && !isRemoval && !REMOVAL.test(status)) return values.indexOf(status) > own;
  }
  return undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

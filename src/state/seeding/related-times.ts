import { parseTimestamp, toDate } from '../../base/clock.ts';
import { relateStates } from './related-states.ts';
import { type Changes, type Member, NO_CHANGES, type Relation } from './relation.ts';
import { TIME_ORDER } from './time-names.ts';

/** Sets the times that the state of an object rules out to null, then sorts the others. */
export const relateTimes: Relation = (members) => {
  const times = members.filter(({ schema }) => schema.types.includes('string'));
  const ranked = times.flatMap(({ key, name }) => {
    const rank = TIME_ORDER.findIndex((pattern) => pattern.test(name));
    return rank < 0 ? [] : [{ key, rank }];
  });
  ranked.sort((one, other) => one.rank - other.rank);
  const isRanked = (key: string) => ranked.some((each) => each.key === key);
  const spans = findSpans(times).filter((span) => !span.every(isRanked));
  const toStates = relateStates(members);
  if (ranked.length < 2 && spans.length === 0 && !toStates) return undefined;
  return (object, isFree) => {
    const states = toStates?.(object, isFree) ?? NO_CHANGES;
    const known = states.length === 0 ? object : { ...object, ...Object.fromEntries(states) };
    const free = ranked.filter(({ key }) => isFree(key)).map(({ key }) => key);
    const sorted = sortTimes(known, free);
    const now = sorted.length === 0 ? known : { ...known, ...Object.fromEntries(sorted) };
    const ends = spans.flatMap((span) => orderSpan(now, span, isFree));
    return [...states, ...sorted, ...ends];
  };
};

/** Distributes the same times over their members, the earliest first. */
function sortTimes(object: Readonly<Record<string, unknown>>, keys: readonly string[]): Changes {
  const times = keys.flatMap((key) => {
    const seconds = toSeconds(object[key]);
    return seconds === undefined ? [] : [{ key, seconds }];
  });
  const sorted = times.map(({ seconds }) => seconds).sort((one, other) => one - other);
  return times.flatMap(({ key, seconds }, index) => {
    const own = sorted[index] ?? seconds;
    return own === seconds ? [] : [[key, toText(own, String(object[key]))] as const];
  });
}

/** Words for the two ends of a span of time. */
const SPANS: readonly (readonly [start: RegExp, end: RegExp])[] = [
  [/(^|_)(?:start|begin)(?:s|ed|ing)?(_|$)/, /(^|_)(?:end|finish)(?:s|ed|ing)?(_|$)/],
  [/(^|_)from(_|$)/, /(^|_)(?:to|until|till)(_|$)/],
  [/(^|_)check_?in(_|$)/, /(^|_)check_?out(_|$)/],
  [/(^|_)(?:departure|departs|departed)(_|$)/, /(^|_)(?:arrival|arrives|arrived)(_|$)/],
  [/(^|_)open(?:s|ed|ing)?(_|$)/, /(^|_)clos(?:e|es|ed|ing)(_|$)/],
  [/(^|_)pick_?up(_|$)/, /(^|_)(?:drop_?off|return)(_|$)/],
];

function findSpans(members: readonly Member[]): (readonly [start: string, end: string])[] {
  const subjectOf = ({ name }: Member, word: RegExp) =>
    word.test(name) ? name.replace(word, '$1#$2') : undefined;
  return SPANS.flatMap(([start, end]) =>
    members.flatMap((first) => {
      const subject = subjectOf(first, start);
      const last =
        subject === undefined ? undefined : members.find((each) => subjectOf(each, end) === subject);
      return last ? [[first.key, last.key] as const] : [];
    }),
  );
}

const DAY_IN_SECONDS = 24 * 60 * 60;

/** Moves a start that is not before its end to some days before it; for times of the day, moves the end behind the start. */
function orderSpan(
  object: Readonly<Record<string, unknown>>,
  [start, end]: readonly [start: string, end: string],
  isFree: (key: string) => boolean,
): Changes {
  const [first, last] = [object[start], object[end]];
  const [from, to] = [toSeconds(first), toSeconds(last)];
  if (from !== undefined && to !== undefined) {
    if (from < to) return NO_CHANGES;
    const length = DAY_IN_SECONDS * (1 + (Math.floor(to / DAY_IN_SECONDS) % 7));
    if (isFree(start)) return [[start, toText(to - length, String(first))]];
    return isFree(end) ? [[end, toText(from + length, String(last))]] : NO_CHANGES;
  }
  const [opening, closing] = [toMinutes(first), toMinutes(last)];
  if (opening === undefined || closing === undefined || opening < closing || !isFree(end)) return NO_CHANGES;
  const later = Math.min(opening + 60 * (1 + (opening % 8)), LAST_MINUTE);
  const text = [Math.floor(later / 60), later % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return later > opening ? [[end, text + String(last).slice(text.length)]] : NO_CHANGES;
}

const LAST_MINUTE = 23 * 60 + 59;

function toMinutes(value: unknown): number | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)(:00)?$/.exec(String(value)) ?? [];
  return hours === undefined ? undefined : 60 * Number(hours) + Number(minutes);
}

function toSeconds(value: unknown): number | undefined {
  return typeof value === 'string' ? parseTimestamp(value) : undefined;
}

/** Formats a time like another one: as a day, or as a day with its time. */
function toText(seconds: number, like: string): string {
  const text = toDate(seconds * 1000).toISOString();
  return like.length === 'YYYY-MM-DD'.length ? text.slice(0, like.length) : text;
}

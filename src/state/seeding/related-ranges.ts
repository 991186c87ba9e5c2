import { isNumeric } from '../../schema/schema.ts';
import { type Member, NO_CHANGES, type Relation } from './relation.ts';

/** Puts the two ends of a range of numbers in order: `min_price` and `max_price`. */
export const relateRanges: Relation = (members) => {
  const numbers = members.filter(({ schema }) => isNumeric(schema));
  const lows = numbers.flatMap((member) => toEnd(member, LOW));
  const highs = new Map(numbers.flatMap((member) => toEnd(member, HIGH)));
  const pairs = lows.flatMap(([about, low]) => {
    const high = highs.get(about);
    return high === undefined ? [] : [[low, high] as const];
  });
  if (pairs.length === 0) return undefined;
  return (object, isFree) =>
    pairs.flatMap(([low, high]) => {
      const [least, most] = [object[low], object[high]];
      if (typeof least !== 'number' || typeof most !== 'number' || least <= most) return NO_CHANGES;
      return isFree(low) && isFree(high) ? [[low, most] as const, [high, least] as const] : NO_CHANGES;
    });
};

const LOW = /(^|_)(min|minimum|lowest|lower|low)(_|$)/;
const HIGH = /(^|_)(max|maximum|highest|upper|high)(_|$)/;

/** The subject of a range that a member is an end of, with its key. */
function toEnd({ key, name }: Member, end: RegExp): (readonly [about: string, key: string])[] {
  return end.test(name) ? [[name.replace(end, '$1#$3'), key]] : [];
}

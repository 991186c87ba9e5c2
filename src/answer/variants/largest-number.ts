import type { Schema } from '../../schema/schema.ts';

/** Wide enough for most tables, and exact in any client. */
const LARGE_INTEGER = 9_999_999_999;
const LARGE_NUMBER = 9_999_999_999.99;
const INT32_END = 2 ** 31 - 1;

/** The largest number that schemas declare, else a large one; the former one if it is larger, or none is found. */
export function toLargestNumber(former: number, definitions: readonly Schema[]): number {
  const isInteger = definitions.some(({ type }) => [type].flat().includes('integer'));
  const most = Math.min(...definitions.map(toLimit));
  const isDeclared = most <= Number.MAX_SAFE_INTEGER;
  const large = isInteger ? LARGE_INTEGER : LARGE_NUMBER;
  const steps = definitions.flatMap(({ multipleOf }) => (typeof multipleOf === 'number' ? [multipleOf] : []));
  const candidates = toCandidates(isDeclared ? most : large, isInteger, steps);
  const fits = (number: number) =>
    definitions.every((definition) => isBelow(number, definition)) &&
    steps.every((step) => Number.isInteger(number / step));
  return Math.max(former, candidates.find(fits) ?? former);
}

/** The limit of a schema. That of int64 is beyond the integers that JavaScript has, so it counts as none. */
function toLimit({ maximum, exclusiveMaximum, format }: Schema): number {
  const declared = [maximum, exclusiveMaximum].filter((limit) => typeof limit === 'number');
  return Math.min(...declared, format === 'int32' ? INT32_END : Number.POSITIVE_INFINITY);
}

/** The limit, the largest multiples below it, and smaller ones that rounding may spare. */
function toCandidates(limit: number, isInteger: boolean, steps: readonly number[]): number[] {
  const below = isInteger ? [Math.floor(limit), Math.ceil(limit) - 1] : [limit, limit - 0.01, limit - 1e-6];
  const multiples = steps.flatMap((step) => {
    const times = Math.floor(limit / step);
    return [times, times - 1, Math.floor(times / 100), Math.floor(times / 10_000)].map((count) =>
      Number((count * step).toPrecision(15)),
    );
  });
  return [...below, ...multiples];
}

function isBelow(number: number, { maximum, exclusiveMaximum }: Schema): boolean {
  return (
    (typeof maximum !== 'number' || number <= maximum) &&
    (typeof exclusiveMaximum !== 'number' || number < exclusiveMaximum)
  );
}

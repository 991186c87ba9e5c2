import { toDate } from '../../base/clock.ts';

/** Words for free text. */
export const WORDS: readonly string[] =
  'amber birch cedar clover coral dune ember fern ginger hazel iris juniper maple olive pebble reed'.split(
    ' ',
  );

/** The length of the shortest and longest pair of words. */
export const SHORTEST_PAIR: number = 2 * Math.min(...WORDS.map(({ length }) => length)) + 1;
export const LONGEST_PAIR: number = 2 * Math.max(...WORDS.map(({ length }) => length)) + 1;

interface Chance {
  int(min: number, max: number): number;
}

/** The texts of a format. */
type Formats = Record<string, (random: Chance) => string>;

const byYear = new Map<number, Formats>();

/** Formats that need dates near the present, and `words` for free text. */
export function toFormats(year: number): Formats {
  const known = byYear.get(year) ?? {
    'date-time': (random) => toInstant(random, year).toISOString(),
    date: (random) => toInstant(random, year).toISOString().slice(0, 10),
    words: (random) => `${pickWord(random)} ${pickWord(random)}`,
  };
  byYear.set(year, known);
  return known;
}

function pickWord(random: Chance): string {
  return WORDS[random.int(0, WORDS.length - 1)] as string;
}

/** Picks an instant in the year before 1 January: close to the present, never in the future, and the same throughout the year. */
function toInstant(random: Chance, year: number): Date {
  const day = 1 + random.int(-365, -1);
  return toDate(Date.UTC(year, 0, day, random.int(7, 20), random.int(0, 59), random.int(0, 59)));
}

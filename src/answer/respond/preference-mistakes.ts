import { findNearest } from '../../base/find-nearest.ts';
import type { Violation } from '../../base/problem.ts';
import { VARIANTS } from '../variants/variants.ts';
import { isUsable, PREFERENCE_NAMES, parseHeader, parseQuery } from './prefer.ts';

/** The most preferences of one request that are looked at, and the most that are reported. */
const MOST_COMPARED = 20;
const MOST_REPORTED = 5;
/** Longer texts are cut, and longer names not compared. */
const LONGEST_TEXT = 40;

/** The usable values, as the end of a sentence. */
const EXPECTED: Readonly<Record<string, string>> = {
  code: 'a code is a status from 200 to 599',
  example: 'name an example of the document',
  dynamic: 'dynamic is true or false',
  seed: 'name a seed, such as 7',
  variant: `the variants are ${VARIANTS.join(' ')}`,
};

/** The registered preferences, which other servers obey. */
const OF_OTHERS: ReadonlySet<string> = new Set([
  ...['depth-noroot', 'handling', 'priority', 'respond-async', 'return', 'safe', 'set-contacts', 'transient'],
  ...['wait', 'count', 'resolution', 'missing', 'tx', 'params', 'max-affected', 'timezone'],
]);

/**
 * Finds the preferences of a request that have no effect, because their value cannot be used or because their name is unknown here.
 * Ignores unknown names if the document has a use of its own for the header.
 */
export function findPreferenceMistakes(
  header: string | undefined,
  query: string,
  isDeclared: boolean,
): readonly Violation[] {
  const inQuery = query.includes('__')
    ? take(parseQuery(query)).map(([name, value]) => explain(`query.__${cut(name)}`, name, value, true))
    : [];
  const inHeader =
    header === undefined
      ? []
      : take(parseHeader(header)).map(([name, value]) =>
          explain(`Prefer: ${cut(name)}`, name, value, isDeclared || name.includes('.')),
        );
  const found = [...inHeader, ...inQuery].filter((each) => each !== undefined);
  return found.slice(0, MOST_REPORTED);
}

function take(found: ReadonlyMap<string, string>): (readonly [name: string, value: string])[] {
  return [...found].slice(0, MOST_COMPARED);
}

/** The reason why a preference has no effect; `undefined` if it has one, or if it may be meant for others. */
function explain(
  written: string,
  name: string,
  value: string,
  mayBeOfOthers: boolean,
): Violation | undefined {
  if (PREFERENCE_NAMES.includes(name)) {
    if (isUsable(name, value)) return undefined;
    return toIgnored(`${written}${value === '' ? '' : `=${cut(value)}`}`, EXPECTED[name]);
  }
  if (name === '' || OF_OTHERS.has(name)) return undefined;
  const nearest = name.length > LONGEST_TEXT ? undefined : findNearest(name, PREFERENCE_NAMES);
  if (nearest !== undefined) return toIgnored(written, `did you mean ${nearest}?`);
  return mayBeOfOthers ? undefined : toIgnored(written, `the preferences are ${PREFERENCE_NAMES.join(' ')}`);
}

function toIgnored(location: string, hint: string | undefined): Violation {
  return { location, message: `is ignored; ${hint}`, code: 'preference-ignored' };
}

function cut(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}...` : text;
}

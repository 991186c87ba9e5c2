import pluralize from 'pluralize';
import { once } from '../../base/once.ts';
import { toSnake } from './snake-case.ts';

/** The singular of a word in snake_case: `OrderLines` → `order_line`. */
export function toSingular(word: string): string {
  const known = singulars.get(word);
  if (known !== undefined) return known;
  const singular = toSnake(pluralize.singular(word));
  if (singulars.size >= KNOWN_WORDS) singulars.clear();
  singulars.set(word, singular);
  return singular;
}

/** The plural of a word, in its own spelling. */
export function toPlural(word: string): string {
  return pluralize.plural(word);
}

/** Whether a word, or the last one of several in snake_case, is a plural. */
export function isPlural(word: string): boolean {
  return word !== '' && pluralize.isPlural(word) && !pluralize.isSingular(word);
}

/** Cached, because `pluralize` tries a hundred regular expressions, and inference asks several times for the words of each path. */
const singulars = new Map<string, string>();
const KNOWN_WORDS = 5000;

/** The names, in snake_case, under which an answer may have a list: `pets`, `pet`. */
export function toListNames(word: string): readonly string[] {
  const known = listNames.get(word);
  if (known) return known;
  const singular = toSingular(word);
  const names = [...new Set([toSnake(word), pluralize.plural(singular), singular])];
  if (listNames.size >= KNOWN_WORDS) listNames.clear();
  listNames.set(word, names);
  return names;
}

const listNames = new Map<string, readonly string[]>();

/** Finds a name by any spelling of it: `petId`, `pet-id` and `petid` are the same. */
export function indexNames(names: Iterable<string>): (wanted: string) => string | undefined {
  const known = new Set(names);
  const byJoined = once(() => new Map([...known].reverse().map((name) => [toJoined(name), name])));
  return (wanted) => (known.has(wanted) ? wanted : byJoined().get(toJoined(wanted)));
}

function toJoined(name: string): string {
  return toSnake(name).replaceAll('_', '');
}

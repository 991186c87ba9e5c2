import pluralize from 'pluralize';
import { once } from '../once.ts';
import { toSnake } from './snake-case.ts';

/** One of what a word means, in snake_case: `OrderLines` → `order_line`. */
export function toSingular(word: string): string {
  const known = singulars.get(word);
  if (known !== undefined) return known;
  const singular = toSnake(pluralize.singular(word));
  if (singulars.size >= KNOWN_WORDS) singulars.clear();
  singulars.set(word, singular);
  return singular;
}

/** A hundred regular expressions decide about a word, and inference asks for the same few again and again. */
const singulars = new Map<string, string>();
const KNOWN_WORDS = 100;

/** The names, in snake_case, under which an answer may hold several of what a word means: `pets`, `pet`. */
export function toListNames(word: string): string[] {
  const singular = toSingular(word);
  return [...new Set([toSnake(word), pluralize.plural(singular), singular])];
}

/** Finds the name that is the same word as another one, however its parts are joined: `petId`, `pet-id` and `petid`. */
export function indexNames(names: Iterable<string>): (wanted: string) => string | undefined {
  const known = new Set(names);
  const byJoined = once(() => new Map([...known].reverse().map((name) => [toJoined(name), name])));
  return (wanted) => (known.has(wanted) ? wanted : byJoined().get(toJoined(wanted)));
}

function toJoined(name: string): string {
  return toSnake(name).replaceAll('_', '');
}

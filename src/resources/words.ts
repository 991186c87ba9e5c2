import pluralize from 'pluralize';
import { toSnake } from './snake-case.ts';

/** One of what a word means, in snake_case: `OrderLines` → `order_line`. */
export function toSingular(word: string): string {
  return toSnake(pluralize.singular(word));
}

/** The names, in snake_case, under which an answer may hold several of what a word means: `pets`, `pet`. */
export function toListNames(word: string): string[] {
  const singular = toSingular(word);
  return [...new Set([toSnake(word), pluralize.plural(singular), singular])];
}

/** Finds the name that is the same word as another one, however its parts are joined: `petId`, `pet-id` and `petid`. */
export function indexNames(names: Iterable<string>): (wanted: string) => string | undefined {
  const known = new Set(names);
  const byJoined = new Map<string, string>();
  for (const name of known) {
    const joined = toJoined(name);
    if (!byJoined.has(joined)) byJoined.set(joined, name);
  }
  return (wanted) => (known.has(wanted) ? wanted : byJoined.get(toJoined(wanted)));
}

function toJoined(name: string): string {
  return toSnake(name).replaceAll('_', '');
}

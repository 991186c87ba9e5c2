import { indexNames, toSnake } from '../../model/resources/resources.ts';
import type { SchemaNode } from '../../schema/schema.ts';
import type { Entity } from '../store/store.ts';

/** Matches the snake_case name of a text that stands for a title in URLs. */
export const SLUG: RegExp = /(^|_)(slug|handle|permalink)$/;

/** The names of texts that slugs are made from, the likeliest first. */
export const TITLES: readonly string[] = ['title', 'name', 'headline'];

/** The length of the part of a title that goes into its slug. */
const MAX_TITLE_LENGTH = 80;

/** Makes the slug of a title: `Notes on Tea` → `notes-on-tea`. */
export function toSlug(title: string): string {
  const words =
    title
      .toLowerCase()
      .slice(0, MAX_TITLE_LENGTH)
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.join('-');
}

interface SlugKeyOptions {
  /** The property of the key. */
  readonly property: string;
  readonly entity: Entity;
  readonly isValid: (key: unknown) => boolean;
  readonly isFree: (key: string) => boolean;
  /** Counts the keys that are made. */
  readonly serial: () => number;
}

/** The key of an entity that is named by a slug: its title or name, and a number if that is taken; `undefined` for any other. */
export function toSlugKey({ property, entity, isValid, isFree, serial }: SlugKeyOptions): string | undefined {
  const title = TITLES.map((name) => entity[name]).find((each) => typeof each === 'string');
  if (title === undefined || !SLUG.test(toSnake(property))) return undefined;
  const plain = toSlug(title);
  const isUsable = (slug: string) => slug !== '' && isValid(slug) && isFree(slug);
  if (isUsable(plain)) return plain;
  const numbered = `${plain}-${serial()}`;
  return isUsable(numbered) ? numbered : undefined;
}

/** Makes a title that has a given slug: `notes-on-tea` → `Notes on Tea`. */
export function fromSlug(slug: string): string {
  const words = slug.split(/[-_]+/).filter((word) => word !== '');
  return words
    .map((word, index) =>
      index > 0 && SMALL_WORD.test(word) ? word : `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`,
    )
    .join(' ');
}

const SMALL_WORD = /^(a|an|and|by|for|from|in|of|on|the|to|with)$/;

/** Finds the property with the title of an entity, if it allows any text. */
export function findTitle({ sharedProperties }: SchemaNode): string | undefined {
  const nameOf = indexNames(sharedProperties.keys());
  return TITLES.map(nameOf).find((name) => {
    const { types = [], keywords = {} } = sharedProperties.get(name ?? '') ?? {};
    return types.includes('string') && keywords.enum === undefined && keywords.const === undefined;
  });
}

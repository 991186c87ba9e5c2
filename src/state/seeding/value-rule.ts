import type { Faker } from '@faker-js/faker';
import type { PropertyHint } from './property-hint.ts';
import type { Town } from './towns.ts';

/** The sources that a rule draws its value from. */
export interface Draw {
  readonly faker: Faker;
  readonly field: PropertyHint;
  /** The same person for all properties of one object, so that name and email match. */
  readonly person: { readonly first: string; readonly last: string };
  /** One town for all properties of an object with the same prefix: `billing_city` and `billing_country`. */
  readonly town: Town;
  /** One currency for the whole value. */
  readonly currency: string;
  /** Picks a day between two offsets from 1 January, the same throughout the year. */
  day(from: number, to: number): Date;
}

/** Generates a value for a property. */
export type ValueRule = (draw: Draw) => unknown;
/** Rules by the names of properties, the first that matches wins. */
export type NamedRules = readonly (readonly [name: RegExp, rule: ValueRule])[];

/** Finds the rule for a name; `undefined` where there is none. */
export function findRule(rules: NamedRules, name: string): ValueRule | undefined {
  return rules.find(([pattern]) => pattern.test(name))?.[1];
}

/** Picks one of some words, the same for the same seed. */
export function oneOf(...words: readonly string[]): ValueRule {
  return ({ faker }) => faker.helpers.arrayElement(words);
}

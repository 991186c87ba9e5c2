import type { Faker } from '@faker-js/faker';
import type { PropertyHint } from './property-hint.ts';
import type { Town } from './towns.ts';

/** The sources that a rule draws its value from. */
export interface Draw {
  readonly faker: Faker;
  readonly field: PropertyHint;
  /** The same person for all properties of one object, so that name and email match. */
  readonly person: { readonly first: string; readonly last: string };
  /** The same town for all properties of one object with the same beginning: `city`, or `billing_city`. */
  readonly town: Town;
  /** The same currency in the whole value. */
  readonly currency: string;
  /** A day between two offsets from 1 January, so that it is the same in every run of a year. */
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

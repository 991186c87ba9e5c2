import { createRequire } from 'node:module';
import type { Faker, Randomizer } from '@faker-js/faker';
import { currentYear, toDate } from '../../base/clock.ts';
import { once } from '../../base/once.ts';
import { createRandom } from '../../schema/generate/generate.ts';
import type { GenerateRealistic } from './property-hint.ts';
import { toRule, toWordRule } from './realistic-rules.ts';
import { pickCurrency, pickTown, toPlaceOwner } from './towns.ts';

const require = createRequire(import.meta.url);

/** Creates a generator with its own random source. Dates lie around the beginning of `year`. */
export function createRealistic(year: number = currentYear()): GenerateRealistic {
  let random = createRandom('');
  const reseed = (seed: string) => {
    random = createRandom(seed);
  };
  const load = once(() => loadFaker({ next: () => random(), seed: (seed) => reseed(String(seed)) }));
  return (field, seeds, kind = 'named') => {
    const rule = kind === 'named' ? toRule(field) : toWordRule(field);
    if (!rule) return undefined;
    const faker = load();
    reseed(`${seeds.object} person`);
    const person = { first: faker.person.firstName(), last: faker.person.lastName() };
    const town = pickTown(createRandom(`${seeds.object} ${toPlaceOwner(field.name)} place`)());
    const currency = pickCurrency(createRandom(`${seeds.whole ?? seeds.object} currency`)());
    reseed(seeds.own);
    return rule({ faker, field, person, town, currency, day: (from, to) => drawDay(faker, year, from, to) });
  };
}

/** Loads faker, which takes a while, for the first name or format that gives a hint. Many documents have none. */
function loadFaker(randomizer: Randomizer): Faker {
  const { faker } = require('@faker-js/faker/locale/en') as typeof import('@faker-js/faker/locale/en');
  // Importing the Faker class itself would load every locale.
  return new (faker.constructor as typeof Faker)({ locale: [faker.rawDefinitions], randomizer });
}

function drawDay(faker: Faker, year: number, from: number, to: number): Date {
  const { number } = faker;
  const day = number.int({ min: from, max: to });
  const [hour, minute, second] = [
    number.int({ min: 7, max: 20 }),
    number.int({ max: 59 }),
    number.int({ max: 59 }),
  ];
  return toDate(Date.UTC(year, 0, 1 + day, hour, minute, second));
}

import type { Faker } from '@faker-js/faker';
import { currentYear, toDate } from '../clock.ts';
import { createRandom } from '../generate/generate.ts';
import type { GenerateRealistic } from './property-hint.ts';
import { toRule, toWordRule } from './realistic-rules.ts';
import { pickCurrency, pickTown, toPlaceOwner } from './towns.ts';

/** Loads faker, which takes a while, and creates an instance with its own random source. Dates lie around the beginning of `year`. */
export async function loadRealistic(year: number = currentYear()): Promise<GenerateRealistic> {
  const { faker: shared } = await import('@faker-js/faker/locale/en');
  let random = createRandom('');
  const reseed = (seed: string) => {
    random = createRandom(seed);
  };
  // Importing the Faker class itself would load every locale.
  const faker = new (shared.constructor as typeof Faker)({
    locale: [shared.rawDefinitions],
    randomizer: { next: () => random(), seed: (seed) => reseed(String(seed)) },
  });
  return (field, seeds, kind = 'named') => {
    const rule = kind === 'named' ? toRule(field) : toWordRule(field);
    if (!rule) return undefined;
    reseed(`${seeds.object} person`);
    const person = { first: faker.person.firstName(), last: faker.person.lastName() };
    const town = pickTown(createRandom(`${seeds.object} ${toPlaceOwner(field.name)} place`)());
    const currency = pickCurrency(createRandom(`${seeds.whole ?? seeds.object} currency`)());
    reseed(seeds.own);
    return rule({ faker, field, person, town, currency, day: (from, to) => drawDay(faker, year, from, to) });
  };
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

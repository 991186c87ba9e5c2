import type { NamedRules, ValueRule } from './value-rule.ts';

const whole =
  (min: number, max: number): ValueRule =>
  ({ faker }) =>
    faker.number.int({ min, max });

const money: ValueRule = ({ faker, field }) => {
  const cents = faker.number.int({ min: 100, max: 49_999 });
  return field.type === 'integer' ? Math.ceil(cents / 100) : cents / 100;
};

/** The rules for numbers. */
export const NUMBER_RULES: NamedRules = [
  [/(^|_)(price|amount|total|subtotal|cost|fee|balance|tax|discount|budget|revenue)$/, money],
  [/(^|_)(salary|income)$/, whole(30_000, 120_000)],
  [/(^|_)(quantity|qty|copies|seats)$/, whole(1, 20)],
  [/(^|_)(count|stock|in_stock)$/, whole(0, 100)],
  [/(^|_)age$/, whole(18, 80)],
  [/(^|_)(rating|stars)$/, whole(1, 5)],
  [/(^|_)(percent|percentage|progress)$/, whole(0, 100)],
  [/(^|_)(year)$/, ({ day }) => day(-20 * 365, -1).getUTCFullYear()],
  [/(^|_)(lat|latitude)$/, ({ faker }) => faker.location.latitude()],
  [/(^|_)(lon|lng|longitude)$/, ({ faker }) => faker.location.longitude()],
  [/(^|_)port$/, whole(1024, 49_151)],
];

import type { Draw, NamedRules, ValueRule } from './value-rule.ts';

const whole =
  (min: number, max: number): ValueRule =>
  ({ faker }) =>
    faker.number.int({ min, max });

const money: ValueRule = ({ faker, field }) => {
  const cents = faker.number.int({ min: 100, max: 49_999 });
  return field.type === 'integer' ? Math.ceil(cents / 100) : cents / 100;
};

/** A percentage, or a fraction of one if the schema has such a bound. */
const share =
  (from: number, to: number): ValueRule =>
  ({ faker, field }) => {
    const percent = faker.number.int({ min: from, max: to });
    return field.most === 1 ? percent / 100 : percent;
  };

/** Near the middle of a town. */
const near = (degrees: number, { faker }: Draw): number =>
  Number((degrees + faker.number.float({ min: -0.05, max: 0.05 })).toFixed(4));

/** The rules for numbers. */
export const NUMBER_RULES: NamedRules = [
  [/(^|_)(percent|percentage|pct|progress|completion)(_rate)?$/, share(0, 100)],
  [/(^|_)(tax|vat|discount|commission|interest)_rate$/, share(1, 25)],
  [
    /(^|_)(success|error|completion|conversion|response|occupancy|attendance|open|click)_rate$/,
    share(0, 100),
  ],
  [/(^|_)(price|amount|total|subtotal|cost|fee|balance|tax|discount|budget|revenue)$/, money],
  [/(^|_)(salary|income)$/, whole(30_000, 120_000)],
  [/(^|_)(quantity|qty|copies|seats)$/, whole(1, 20)],
  [/(^|_)(count|stock|in_stock)$/, whole(0, 100)],
  [/(^|_)age$/, whole(18, 80)],
  [/(^|_)(rating|stars)$/, whole(1, 5)],
  [/(^|_)(year)$/, ({ day }) => day(-20 * 365, -1).getUTCFullYear()],
  [/(^|_)(lat|latitude)$/, (draw) => near(draw.town.latitude, draw)],
  [/(^|_)(lon|lng|longitude)$/, (draw) => near(draw.town.longitude, draw)],
  // Lists of coordinates differ in their order, so every value must be a valid latitude.
  [/(^|_)coordinate$/, ({ faker }) => faker.location.latitude()],
  [/(^|_)(temperature|temp)$/, whole(-5, 35)],
  [/(^|_)humidity$/, share(30, 90)],
  [/(^|_)port$/, whole(1024, 49_151)],
  [/^expires_in$/, () => 3600],
  [/(^|_)floor$/, whole(1, 12)],
];

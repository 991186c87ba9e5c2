import { type Draw, type NamedRules, oneOf, type ValueRule } from './value-rule.ts';

const digits =
  (length: number): ValueRule =>
  ({ faker }) =>
    faker.string.numeric(length);

/** Capitals and digits by a pattern: `A` for a letter, `0` for a digit. */
const code =
  (pattern: string): ValueRule =>
  ({ faker }) =>
    pattern.replace(/[A0]/g, (place) =>
      place === 'A' ? faker.string.alpha({ length: 1, casing: 'upper' }) : faker.string.numeric(1),
    );

const hex =
  (length: number): ValueRule =>
  ({ faker }) =>
    faker.string.hexadecimal({ length, casing: 'lower', prefix: '' });

const user: ValueRule = ({ person }) => `${person.first} ${person.last}`;

const colorCode: ValueRule = (draw: Draw) => `#${hex(6)(draw)}`;

/** The rules for codes, for terms of technology, and for names from a short list. */
export const TERM_RULES: NamedRules = [
  [/^token_type$/, () => 'bearer'],
  [/(^|_)user_agent$/, ({ faker }) => faker.internet.userAgent()],
  [/(^|_)(hex|hex_code|colou?r_(code|hex))$/, colorCode],
  [/(^|_)vin$/, ({ faker }) => faker.vehicle.vin()],
  [/(^|_)(license_)?plate(_number)?$/, code('AAA-0000')],
  [/(^|_)(vehicle|car)(_type)?$/, ({ faker }) => faker.vehicle.type()],
  [/(^|_)(weekday|day_of_week|week_day)$/, ({ faker }) => faker.date.weekday()],
  [/(^|_)month(_name)?$/, ({ faker }) => faker.date.month()],
  [/(^|_)(barcode|ean|gtin|upc)(_?13)?$/, digits(13)],
  [/(^|_)tracking_(number|code|id)$/, code('AA000000000AA')],
  [/(^|_)(order|invoice|receipt|booking|reservation|ticket|case)_(number|no|code)$/, code('A-000000')],
  [/(^|_)(coupon|promo|discount|voucher|referral|invite)(_code)?$/, code('AAAA00')],
  [/(^|_)(otp|pin|verification_code|confirmation_code|security_code|pass_code)$/, digits(6)],
  [/(^|_)payment_(method|type)$/, oneOf('card', 'paypal', 'bank_transfer', 'cash')],
  [/(^|_)card_(brand|type)$/, oneOf('Visa', 'Mastercard', 'American Express')],
  [/(^|_)(last_?4|last_four)$/, digits(4)],
  [/(^|_)(bic|swift)(_code)?$/, ({ faker }) => faker.finance.bic()],
  [/(^|_)account_(number|no)$/, digits(10)],
  [/(^|_)(unit|uom)(_of_measure)?$/, oneOf('piece', 'kg', 'l', 'box', 'm')],
  [/(^|_)size$/, oneOf('S', 'M', 'L', 'XL')],
  [/(^|_)(created|updated|modified|deleted|approved|assigned|uploaded|reviewed|posted)_by(_name)?$/, user],
  [/(^|_)cron(_expression)?$/, oneOf('0 8 * * *', '*/15 * * * *', '0 0 * * 1')],
  [/(^|_)(file_?path|path|directory|folder)$/, ({ faker }) => faker.system.filePath()],
  [/(^|_)(branch|git_branch)$/, oneOf('main', 'develop', 'feature/search')],
  [/(^|_)(commit|sha|commit_(hash|sha|id))$/, hex(40)],
  [/(^|_)(platform|os|operating_system)$/, oneOf('iOS', 'Android', 'Windows', 'macOS', 'Linux')],
  [/(^|_)device(_type|_name)?$/, oneOf('phone', 'tablet', 'laptop', 'desktop')],
  [/(^|_)browser$/, oneOf('Chrome', 'Firefox', 'Safari', 'Edge')],
  [/(^|_)(model|model_name|car_model)$/, ({ faker }) => faker.vehicle.model()],
  [/(^|_)nationality$/, oneOf('Brazilian', 'French', 'German', 'Indian', 'Japanese', 'Kenyan', 'Spanish')],
  [/(^|_)flight_(number|no)$/, code('AA000')],
  [/(^|_)(airport|airport_code|iata(_code)?)$/, ({ faker }) => faker.airline.airport().iataCode],
  [/(^|_)seat(_number|_no)?$/, (draw) => `${draw.faker.number.int({ min: 1, max: 40 })}${code('A')(draw)}`],
  [
    /(^|_)(room|apartment|suite)(_number|_no)?$/,
    ({ faker }) => String(faker.number.int({ min: 101, max: 499 })),
  ],
  [/(^|_)error_code$/, oneOf('invalid_request', 'not_found', 'conflict')],
  [/(^|_)(error|error_message)$/, oneOf('The request could not be completed.', 'Please try again later.')],
  [/(^|_)(breed)$/, ({ faker }) => faker.animal.dog()],
  [/(^|_)species$/, oneOf('dog', 'cat', 'rabbit', 'parrot')],
  [/(^|_)(ingredient|ingredients)$/, ({ faker }) => faker.food.ingredient()],
  [/(^|_)(dish|meal|recipe)(_name)?$/, ({ faker }) => faker.food.dish()],
  [/(^|_)(song|track)(_name)?$/, ({ faker }) => faker.music.songName()],
  [/(^|_)album(_name)?$/, ({ faker }) => faker.music.album()],
  [/(^|_)(domain|host|host_?name)(_name)?$/, ({ faker }) => `${faker.word.noun()}.example.com`],
  [/(^|_)mac(_address)?$/, ({ faker }) => faker.internet.mac()],
];

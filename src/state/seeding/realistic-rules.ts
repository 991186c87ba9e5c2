import { toBiography, toHeadline, toPassage, toProductText, toSentence } from './friendly-texts.ts';
import { NUMBER_RULES } from './number-rules.ts';
import type { PropertyHint } from './property-hint.ts';
import { TERM_RULES } from './term-rules.ts';
import { type Draw, findRule, type NamedRules, oneOf, type ValueRule } from './value-rule.ts';

/** Picks the rule for a property; `undefined` where name and format give no hint. */
export function toRule(field: PropertyHint): ValueRule | undefined {
  if (field.type === 'boolean') return findRule(BOOLEAN_RULES, field.name);
  if (field.type !== 'string') return findRule(NUMBER_RULES, field.name);
  const { format } = field;
  if (format === undefined) return findRule(TEXT_RULES, field.name);
  if (/^(date|date-time)$/.test(format)) return toDateText;
  return (
    FORMAT_RULES.get(format) ?? (STRICT_FORMATS.test(format) ? undefined : findRule(TEXT_RULES, field.name))
  );
}

/** Flags that are the same for nearly everything. Others may be either. */
const BOOLEAN_RULES: NamedRules = [
  [/^(success|successful|ok)$/, () => true],
  [/(^|_)(deleted|archived|banned|blocked|suspended|locked|expired)$/, () => false],
];

const email: ValueRule = ({ faker, person }) =>
  faker.internet.exampleEmail({ firstName: person.first, lastName: person.last }).toLowerCase();
const uuid: ValueRule = ({ faker }) => faker.string.uuid();
/** A small picture that shows without a network. */
const image: ValueRule = ({ faker }) => {
  const hue = faker.number.int({ max: 359 });
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4 3'><rect width='4' height='3' fill='hsl(${hue},60%,70%)'/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
};
const slug: ValueRule = ({ faker }) => faker.helpers.slugify(toThing(faker)).toLowerCase();
const link: ValueRule = (draw) =>
  IMAGE.test(draw.field.name) ? image(draw) : `https://example.com/${slug(draw)}`;

const FORMAT_RULES: ReadonlyMap<string, ValueRule> = new Map([
  ['email', email],
  ['idn-email', email],
  ['uuid', uuid],
  ['uri', link],
  ['url', link],
  ['iri', link],
  ['uri-reference', link],
  ['hostname', ({ faker }) => `${faker.word.noun()}.example.com`],
  ['ipv4', ({ faker }) => faker.internet.ipv4()],
  ['ipv6', ({ faker }) => faker.internet.ipv6()],
]);

/** Formats that a value chosen by name would break. */
const STRICT_FORMATS =
  /^(binary|byte|duration|idn-hostname|iri-reference|json-pointer|password|regex|relative-json-pointer|time|uri-template)$/;

const PAST = [-180, -1] as const;

/** Ranges of dates by name, in days from 1 January of this year. */
const DATES: readonly (readonly [name: RegExp, from: number, to: number])[] = [
  [/birth|^dob$/, -70 * 365, -18 * 365],
  [/^(created?|added|joined|registered|published|start(ed|s)?|signup|opened)(_|$)/, -365, -181],
  [/(^|_)(due|expir\w+|deadline|valid_until|until|ends?|scheduled|delivery|renew\w*)(_|$)/, 366, 730],
];

function toDateText({ field, day }: Draw): string {
  const isDay =
    field.format === 'date' ||
    (field.format === undefined && /(^|_)(date|dob|birthday|day)$/.test(field.name));
  const [, from, to] = DATES.find(([pattern]) => pattern.test(field.name)) ?? ['', ...PAST];
  const text = day(from, to).toISOString();
  return isDay ? text.slice(0, 10) : text;
}

const IMAGE = /(^|_)(image|img|photo|picture|avatar|thumbnail|logo|icon|cover)(_ur[il])?$/;

const fullName: ValueRule = ({ person }) => `${person.first} ${person.last}`;
const sentence: ValueRule = ({ faker }) => toSentence(faker);
const paragraph: ValueRule = ({ faker }) => toPassage(faker);
const colour: ValueRule = ({ faker }) => faker.color.human();

const TOPICS =
  'art books city coffee culture design food garden health history music nature news outdoors recipes science sports travel'.split(
    ' ',
  );

const PLACE_NAMES = 'Beacon Canyon Falcon Garden Grove Harbor Meadow Orchard Ridge River Summit Willow'.split(
  ' ',
);

/** A name that suits anything: `Silver Harbor`. */
function toThing(faker: Draw['faker']): string {
  const word = faker.color.human();
  return `${word[0]?.toUpperCase()}${word.slice(1)} ${faker.helpers.arrayElement(PLACE_NAMES)}`;
}

const PERSON =
  /(^|_)(user|customer|client|author|owner|employee|person|people|member|contact|patient|student|teacher|artist|guest|driver|player|manager|assignee|creator|buyer|seller|recipient|sender|doctor|admin)$/;
const PRODUCT = /(^|_)(product|item|good|part)$/;
const PUBLICATION = /(^|_)(article|post|blog|page|story|news|guide|lesson|note)$/;
const BOOK = /(^|_)(book|novel)$/;

/** Generates the `name` of a `company` as it would a `company` itself. */
const name: ValueRule = (draw) => {
  const { faker, field } = draw;
  if (PERSON.test(field.owner)) return fullName(draw);
  if (PRODUCT.test(field.owner)) return faker.commerce.productName();
  const rule = findRule(TEXT_RULES, field.owner);
  return rule && rule !== name ? rule(draw) : toThing(faker);
};

const title: ValueRule = ({ faker, field }) => {
  if (BOOK.test(field.owner)) return faker.book.title();
  if (PUBLICATION.test(field.owner)) return toHeadline(faker);
  return PRODUCT.test(field.owner) ? faker.commerce.productName() : faker.company.catchPhrase();
};

const description: ValueRule = (draw) =>
  PRODUCT.test(draw.field.owner) ? toProductText(draw.faker) : sentence(draw);

const TEXT_RULES: NamedRules = [
  [/(^|_)(first_?name|given_?name|forename)$/, ({ person }) => person.first],
  [/(^|_)(last_?name|surname|family_?name)$/, ({ person }) => person.last],
  [/(^|_)middle_?name$/, ({ faker }) => faker.person.middleName()],
  [/(^|_)(full_?name|display_?name)$/, fullName],
  [/(^|_)(user_?name|login|nick_?name|screen_?name)$/, ({ faker, person }) => toUsername(faker, person)],
  [/(^|_)e_?mail(_address)?$/, email],
  [/(^|_)(phone|mobile|telephone|fax)(_number|_no)?$/, ({ faker }) => toPhone(faker)],
  [/(^|_)(uuid|guid)$/, uuid],
  [IMAGE, image],
  [/(^|_)(url|uri|link|href|website|homepage)$/, link],
  [/(^|_)(slug|handle|permalink)$/, slug],
  [/(^|_)(start|end|open|opening|close|closing|from|to|arrival|departure)_time$/, (draw) => timeOfDay(draw)],
  [/(_at|date|_on|_time|timestamp|^dob|birthday)$|^(created|updated|modified|deleted)$/, toDateText],
  [/(^|_)(token|jwt)$/, ({ faker }) => fakeJwt(faker)],
  [
    /(^|_)(secret|api_?key|access_?key|hash|checksum|signature)$/,
    ({ faker }) => faker.string.hexadecimal({ length: 32, casing: 'lower', prefix: '' }),
  ],
  [/(^|_)(city|town)(_name)?$/, ({ town }) => town.city],
  [/(^|_)(street(_address|_name)?|address(_?line)?_?1)$/, ({ faker }) => faker.location.streetAddress()],
  [/(^|_)address(_?line)?_?2$/, ({ faker }) => faker.location.secondaryAddress()],
  [/(^|_)address$/, ({ faker, town }) => `${faker.location.streetAddress()}, ${town.city}`],
  [/(^|_)(state_name|province)(_name)?$/, ({ town }) => town.region],
  [/(^|_)(zip|zip_?code|post_?code|postal_?code)$/, ({ faker }) => faker.location.zipCode('#####')],
  [/(^|_)country_(code|iso)$/, ({ town }) => town.code],
  [/(^|_)country(_name)?$/, (draw) => toCountry(draw)],
  [/(^|_)time_?zone$/, ({ town }) => town.zone],
  [
    /(^|_)(company|organi[sz]ation|employer|manufacturer|brand|vendor|supplier|publisher|store|shop)(_name)?$/,
    ({ faker }) => faker.company.name(),
  ],
  [/(^|_)(job_?title|position|occupation|profession)$/, ({ faker }) => faker.person.jobTitle()],
  [/(^|_)department(_name)?$/, ({ faker }) => faker.commerce.department()],
  [/(^|_)product_name$/, ({ faker }) => faker.commerce.productName()],
  [/(^|_)currency(_code)?$/, ({ currency }) => currency],
  [/(^|_)colou?r(_name)?$/, colour],
  [/(^|_)isbn(_?13)?$/, ({ faker }) => faker.commerce.isbn({ separator: '' })],
  [/(^|_)(sku|product_code)$/, ({ faker }) => faker.string.alphanumeric({ length: 8, casing: 'upper' })],
  [/(^|_)iban$/, ({ faker }) => faker.finance.iban()],
  [/(^|_)ip(_?address)?$/, ({ faker }) => faker.internet.ipv4()],
  [/(^|_)file_?name$/, ({ faker }) => faker.system.commonFileName()],
  [/(^|_)(mime_?type|content_type|media_type)$/, ({ faker }) => faker.system.mimeType()],
  [/(^|_)(language|locale)(_code)?$/, () => 'en'],
  [/(^|_)version$/, ({ faker }) => faker.system.semver()],
  [/(^|_)(tag|keyword|label|topic)(_list|_name)?$/, (draw) => oneOf(...TOPICS)(draw)],
  [/(^|_)(price|amount|total|cost|fee)$/, ({ faker }) => faker.commerce.price({ min: 1, max: 500 })],
  [/(^|_)(title|headline|subject)$/, title],
  [/(^|_)(bio|biography|about_me)$/, ({ faker }) => toBiography(faker)],
  [/(^|_)(description|summary|details?|about)$/, description],
  [/(^|_)(body|content)$/, paragraph],
  [/(^|_)(comment|message|note|text|caption|remark|excerpt)s?$/, sentence],
  ...TERM_RULES,
  [PERSON, fullName],
  [/(^|_)name$/, name],
];

/** The `state` of an address is a region, any other a status. */
const status: ValueRule = (draw) => {
  const region = draw.field.name.endsWith('state') ? toRegion(draw) : undefined;
  return region ?? oneOf('active', 'pending', 'completed', 'archived')(draw);
};

/** A text in the form of a JSON Web Token. */
function fakeJwt(faker: Draw['faker']): string {
  const part = (length: number) => faker.string.alphanumeric(length);
  return `eyJ${part(17)}.eyJ${part(40)}.${part(43)}`;
}

function toUsername(faker: Draw['faker'], { first, last }: Draw['person']): string {
  return faker.internet.username({ firstName: first, lastName: last }).toLowerCase();
}

/** Uses 555-01xx, which is reserved for fiction. */
function toPhone(faker: Draw['faker']): string {
  return `+1${faker.number.int({ min: 201, max: 989 })}55501${faker.string.numeric(2)}`;
}

/** The region of the town; `undefined` for a `state` outside an address. */
function toRegion({ town, field: { name, owner } }: Draw): string | undefined {
  const postal = name !== 'state' || /address|location|customer|user|contact|company|store/.test(owner);
  return postal ? town.region : undefined;
}

/** The country of the town, or any country in a list of countries, which needs more of them. */
function toCountry({ faker, town, field: { name, owner, most } }: Draw): string {
  if (most === 2) return town.code;
  return name === 'name' || owner === 'country' ? faker.location.country() : town.country;
}

/** Words of their kind, for properties whose values only the document knows. Its examples come first. */
const WORD_RULES: NamedRules = [
  [/(^|_)(id|key_id)$/, uuid],
  [/(^|_)(status|state)$/, (draw) => status(draw)],
  [/(^|_)role$/, (draw) => oneOf('admin', 'editor', 'member', 'viewer')(draw)],
  [/(^|_)priority$/, (draw) => oneOf('low', 'medium', 'high')(draw)],
  [/(^|_)(severity|level|difficulty)$/, (draw) => oneOf('low', 'medium', 'high')(draw)],
  [/(^|_)gender$/, (draw) => oneOf('female', 'male', 'other')(draw)],
  [/(^|_)(type|kind)$/, (draw) => oneOf('basic', 'standard', 'premium', 'custom')(draw)],
  [/(^|_)genre$/, (draw) => oneOf('Drama', 'Comedy', 'Mystery', 'Fantasy', 'History', 'Science')(draw)],
  [/(^|_)categor(y|ies|y_name)$/, ({ faker }) => faker.commerce.department()],
];

/** Picks the rule for a text whose name alone gives its kind; `undefined` for any other. */
export function toWordRule({ type, format, name }: PropertyHint): ValueRule | undefined {
  return type === 'string' && format === undefined ? findRule(WORD_RULES, name) : undefined;
}

/** A time of the day, `09:30`. */
const timeOfDay: ValueRule = ({ faker }) => {
  const [hour, quarter] = [faker.number.int({ min: 7, max: 20 }), faker.number.int({ max: 3 })];
  return `${String(hour).padStart(2, '0')}:${String(quarter * 15).padStart(2, '0')}`;
};

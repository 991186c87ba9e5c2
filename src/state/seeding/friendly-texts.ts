import type { Faker } from '@faker-js/faker';

const SUBJECTS =
  'gardens|bread|bicycles|long walks|houseplants|old maps|tea|small boats|slow cooking|city birds|handwriting|night trains|wool|clay|board games|mountain huts|beekeeping|film cameras'.split(
    '|',
  );
const PURSUITS =
  'growing tomatoes on a balcony|baking with rye|repairing a bicycle|planning a weekend by train|reading more books|keeping bees in the city|drawing every day|learning to sail|hosting a dinner for eight|hiking with children'.split(
    '|',
  );
const TRAITS = 'curious|patient|cheerful|careful|early-rising|well-travelled|quiet|practical'.split('|');
const TRADES =
  'gardener|teacher|baker|carpenter|photographer|librarian|engineer|designer|nurse|cook|translator|musician'.split(
    '|',
  );
const REMARKS =
  'It takes an hour and a little patience.|Most of it can be prepared the day before.|The result is worth the effort.|A friend showed me how years ago.|It works in any season.|Start small and see what happens.|Nothing special is needed for it.|The second try is always better.'.split(
    '|',
  );
const QUALITIES = 'Light|Sturdy|Handmade|Compact|Durable|Soft|Simple|Well-balanced'.split('|');
const USES =
  'for every day|for the kitchen|for travelling|for small homes|for long evenings|for children and adults|for work and home'.split(
    '|',
  );

/** A heading as a blog or a magazine would have it. */
export function toHeadline({ helpers }: Faker): string {
  const subject = helpers.arrayElement(SUBJECTS);
  const pursuit = helpers.arrayElement(PURSUITS);
  return helpers.arrayElement([
    `A Short Guide to ${toTitleCase(subject)}`,
    `What I Learned from ${toTitleCase(pursuit)}`,
    `Five Reasons to Love ${toTitleCase(subject)}`,
    `Notes on ${toTitleCase(pursuit)}`,
    `${toTitleCase(subject)} for Beginners`,
  ]);
}

/** One sentence about something. */
export function toSentence({ helpers }: Faker): string {
  const [subject, pursuit] = [helpers.arrayElement(SUBJECTS), helpers.arrayElement(PURSUITS)];
  return helpers.arrayElement([
    `A few thoughts on ${pursuit}.`,
    `Everything you need to know about ${subject}.`,
    `How ${subject} became part of our week.`,
    `Some advice on ${pursuit}, with pictures.`,
  ]);
}

/** Some sentences that belong together. */
export function toPassage(faker: Faker): string {
  return [toSentence(faker), ...faker.helpers.arrayElements(REMARKS, 2)].join(' ');
}

/** One sentence about a person. */
export function toBiography({ helpers }: Faker): string {
  const [one, other] = helpers.arrayElements(TRADES, 2);
  return `${capitalize(helpers.arrayElement(TRAITS))} ${one} and weekend ${other}. Fond of ${helpers.arrayElement(SUBJECTS)}.`;
}

/** One sentence about a thing that is for sale. */
export function toProductText({ helpers }: Faker): string {
  return `${helpers.arrayElement(QUALITIES)} and made to last, ${helpers.arrayElement(USES)}.`;
}

function toTitleCase(text: string): string {
  return text.replace(
    /(^| )(?!(?:a|an|by|for|in|on|the|to|with|of) )([a-z])/g,
    (_, before: string, letter: string) => before + letter.toUpperCase(),
  );
}

function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

import { NO_CHANGES, type Relation } from './relation.ts';
import { SLUG, TITLES, toSlug } from './slug.ts';

/** Makes a slug from the title of the same object. */
export const relateSlugs: Relation = (members) => {
  const slugs = members.filter(({ name, schema }) => SLUG.test(name) && schema.types.includes('string'));
  const titles = TITLES.flatMap((wanted) => members.filter(({ name }) => name === wanted));
  if (slugs.length === 0 || titles.length === 0) return undefined;
  return (object, isFree) => {
    const free = slugs.filter(({ key }) => typeof object[key] === 'string' && isFree(key));
    if (free.length === 0) return NO_CHANGES;
    const title = titles
      .map(({ key }) => object[key])
      .find((each) => typeof each === 'string' && each !== '');
    const slug = typeof title === 'string' ? toSlug(title) : '';
    if (slug === '') return NO_CHANGES;
    return free.map(({ key, schema }) => [
      key,
      /^ur[il]/.test(String(schema.keywords.format)) ? `https://example.com/${slug}` : slug,
    ]);
  };
};

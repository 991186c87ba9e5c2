import type { ParameterStyle } from './parameter-split.ts';
import { buildReader, type ReadParameter } from './parameter-styles.ts';

/**
 * Builds the reader of an `Accept-Language` header with an enum. Browsers send a list of languages, so the best match among the
 * members is read (RFC 4647 section 3.4), or the first one without a match.
 */
export function buildLanguageReader(style: ParameterStyle): ReadParameter {
  const read = buildReader(style);
  const languages = style.members?.filter((member) => typeof member === 'string') ?? [];
  const [first] = languages;
  if (first === undefined) return read;
  return (source) => {
    const reading = read(source);
    if (!reading || !('value' in reading) || typeof reading.value !== 'string') return reading;
    return { value: matchLanguage(reading.value, languages) ?? first };
  };
}

/** The most preferred of some languages; `undefined` where none of them is wanted. */
function matchLanguage(header: string, languages: readonly string[]): string | undefined {
  for (const wanted of toRanges(header)) {
    const found = languages.find(
      (language) => coversLanguage(wanted, language) || coversLanguage(language.toLowerCase(), wanted),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The ranges of a header in lower case, the most preferred first. */
function toRanges(header: string): string[] {
  const weighted = header.split(',').map((part) => {
    const [range = '', weight = ''] = part.trim().toLowerCase().split(';');
    return { range: range.trim(), quality: Number(/q=([\d.]+)/.exec(weight)?.[1] ?? 1) };
  });
  return weighted
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ range }) => range);
}

/** Whether a range such as `de` coversLanguage a language such as `de-AT`. */
function coversLanguage(range: string, language: string): boolean {
  const tag = language.toLowerCase();
  return range === '*' || tag === range || tag.startsWith(`${range}-`);
}

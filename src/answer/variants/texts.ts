/** The longest text where the schema sets no limit. */
export const LONGEST_TEXT = 500;

/** One of the longest names of a place, and one of the longest words, which no layout can break at a blank. */
const LONG_WORDS =
  'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft';
const FILLER = ' and many short words that go on and on until the text is as long as it can be,';

/** A text of `length` code points that begins with the former one. */
export function toLongText(former: string, length: number): string {
  if (countCharacters(former) >= length) return former;
  const start = `${former} ${LONG_WORDS}`.trimStart();
  const text = start + FILLER.repeat(Math.max(0, Math.ceil((length - start.length) / FILLER.length)));
  // Some readers trim blanks, so none may be the last character.
  return [...text].slice(0, length).join('').replace(/ $/, 'x');
}

/** Texts that break fonts, line heights, directions and escaping, from short to long, so that one fits anywhere. */
const SAMPLES: readonly string[] = [
  'Übergröße',
  '漢字とかな',
  'مرحبا بالعالم',
  // A family of four, joined by ZERO WIDTH JOINER.
  '👩\u200d👩\u200d👧\u200d👦',
  // Letters with combining marks.
  'Zoe\u0308 a\u0323\u0302',
  "O'Brien",
  '<b>bold</b> &amp;',
  'ß',
];

/** A text of at most `most` code points: the former one with samples of many scripts, or such samples alone where it leaves no room. */
export function toUnicodeText(former: string, most: number): string {
  const after = addSamples([former], most);
  return after === former ? addSamples([], most) || former : after;
}

function addSamples(start: readonly string[], most: number): string {
  let text = start.join('');
  let left = most - countCharacters(text);
  for (const sample of SAMPLES) {
    const next = text === '' ? sample : ` ${sample}`;
    const length = countCharacters(next);
    if (length > left) continue;
    text += next;
    left -= length;
  }
  return text;
}

/** The length of a text as JSON Schema counts it. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

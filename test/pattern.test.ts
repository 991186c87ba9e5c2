import { describe, expect, test } from 'vitest';
import { compilePattern, explainHazard } from '../src/base/pattern/pattern.ts';
import { createRandom } from '../src/schema/generate/generate.ts';

const MILLION = 1_000_000;

describe('A pattern', () => {
  // Each of these takes RegExp minutes or longer, most of them for ever.
  test.each([
    '^(a+)+$',
    '^(a|aa)+$',
    '^(a|a?)+$',
    '^(a*)*b?$',
    '^(?:a+a+)+!?b$',
    'a+b',
    '[a-z]+$',
    '^[^@]*[^!]*[^?]*b$',
    '^(?=(?:a+)+b).*$',
    '(?<=b(?:a+)+)c',
    '^(a?){50}a{50}b',
    '^([a-z0-9]{1,63}\\.){1,10}[a-z]{2,63}$',
  ])('%s is looked for in a million characters in no time', (source) => {
    const pattern = compilePattern(source);
    const start = performance.now();
    expect(pattern.test(`${'a'.repeat(MILLION)}!`)).toBe(false);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  test.each([
    ['^[a-z0-9-]+$', true],
    ['^\\d{4}-\\d{2}$', true],
    ['^[A-Z]{2,3}\\d*$', true],
    ['^(a|b)$', false],
    ['^a*a$', false],
    ['^a*b?a$', false],
    ['^[^a]*\\S$', false],
    ['^\\w*é$', true],
    ['^é*è$', false],
    ['^\\w+$|a+b', false],
    ['a*b', false],
  ])('%s is left to RegExp, because it never has a choice: %s', (source, plain) => {
    expect(compilePattern(source) instanceof RegExp).toBe(plain);
  });

  test.each([
    ['^(a+)\\1$', 'it refers back to a group'],
    ['^(?<x>a)\\k<x>$', 'it refers back to a group'],
    ['^(?:.{1,500}b){1,500}$', 'it repeats too much'],
    [`${'('.repeat(200)}a${')'.repeat(200)}`, 'it nests too deeply'],
    ['^.{0,100000}$', undefined],
    ['.{0,100000}', undefined],
    ['[\\w+=,.@-]{1,2048}', undefined],
    ['^(?=.*\\d)(?=.*[a-z]).{8,}$', undefined],
    ['\\(\\[(\\]|\\))', undefined],
  ])('%s has this against it: %s', (source, reason) => {
    expect(explainHazard(source)).toBe(reason);
  });

  test.each([
    ['^\\p{Lu}(\\p{L}|-)*$', 'Élan', true],
    ['^\\p{Lu}(\\p{L}|-)*$', 'élan', false],
    ['^(.){3}$', '😀😀😀', true],
    ['^([^a]){2}$', '😀', false],
    ['^(\\ud83d\\ude00|a)+$', 'a😀', true],
    ['^(\\u{1F600})+$', '😀😀', true],
    ['(?<=😀)a', '😀a', true],
    ['(?<!😀)a', '😀a', false],
    ['(?=[😀b]*[ab]\\.+)\\u{1F600}', 'a 😀a.', true],
    ['^(\\u017f|a)+$', 'ſa', true],
    ['^(a|\\n)b$', '\nb', true],
  ])('%s reads whole characters: %s', (source, text, found) => {
    expect(compilePattern(source).test(text)).toBe(found);
    expect(new RegExp(source, 'u').test(text)).toBe(found);
  });

  test('finds what RegExp finds, whatever it is made of', () => {
    const { pick, upTo } = createMaker();
    let compared = 0;
    for (let round = 0; round < 3000; round++) {
      const flags = pick(['u', 'iu'] as const);
      const source = `${pick(['^', ''])}${toAlternatives(2)}${pick(['$', ''])}`;
      if (explainHazard(source) !== undefined) continue;
      const pattern = compilePattern(source, flags);
      for (let count = 0; count < 10; count++) {
        const text = Array.from({ length: upTo(8) }, () => pick([...'abAB1 \né.-'])).join('');
        compared += 1;
        expect([source, flags, text, pattern.test(text)]).toEqual([
          source,
          flags,
          text,
          new RegExp(source, flags).test(text),
        ]);
      }
    }
    expect(compared).toBeGreaterThan(10_000);

    function toAlternatives(depth: number): string {
      return Array.from({ length: 1 + upTo(1) }, () =>
        Array.from({ length: upTo(3) }, () => toTerm(depth)).join(''),
      ).join('|');
    }

    function toTerm(depth: number): string {
      const bare = depth > 0 && upTo(3) === 0;
      if (!bare) return pick(ATOMS) + pick(QUANTIFIERS);
      const open = pick(['(', '(?:', '(?=', '(?!', '(?<=', '(?<!']);
      const group = `${open}${toAlternatives(depth - 1)})`;
      return /^\(\?<?[=!]/.test(open) ? group : group + pick(QUANTIFIERS);
    }
  });
});

const ATOMS = [
  'a',
  'b',
  'c',
  '.',
  '[ab]',
  '[^a]',
  '\\w',
  '\\d',
  '\\s',
  'é',
  '\\p{L}',
  '\\.',
  '(?:^)',
  '(?:$)',
  '(?:\\b)',
  '(?:\\B)',
  '[^\\n]',
  '[a-]',
];
const QUANTIFIERS = ['', '', '', '*', '+', '?', '{2}', '{1,3}', '{0,2}', '{2,}', '*?', '{0}'];

function createMaker() {
  const chance = createRandom('patterns');
  const upTo = (most: number): number => Math.floor(chance() * (most + 1));
  const pick = <T>(list: readonly T[]): T => list[upTo(list.length - 1)] as T;
  return { pick, upTo };
}

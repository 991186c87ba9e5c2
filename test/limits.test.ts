import { readFileSync, writeFileSync } from 'node:fs';
import { env } from 'node:process';
import { describe, expect, test } from 'vitest';
import { KIBIBYTE, LIMITS, type Limit, MEBIBYTE } from '../src/base/limits.ts';

const FILE = new URL('../docs/limits.md', import.meta.url);

const INTRODUCTION = `# Limits

These are the most that clients can make a mock hold, read or do. The page is made from \`src/base/limits.ts\`: run
\`UPDATE=1 npx vitest run test/limits.test.ts\` after a change there.

Memory is estimated, and counted for all sessions together. Sessions and snapshots share the entities that they have in
common, and each of these counts once. The document, the fixtures and a state file do not count, because the user gave them.

| of | at most | beyond it | flag |
| --- | --- | --- | --- |
`;

const UNITS: Readonly<Record<Limit['unit'], (value: number) => string>> = {
  bytes: (value) => (value < MEBIBYTE ? `${value / KIBIBYTE} KiB` : `${value / MEBIBYTE} MiB`),
  milliseconds: (value) => (value % 3_600_000 === 0 ? `${value / 3_600_000} h` : `${value / 60_000} min`),
  values: (value) => `${value.toLocaleString('en')} values`,
  items: (value) => value.toLocaleString('en'),
  levels: (value) => `${value} levels`,
  characters: (value) => `${value.toLocaleString('en')} characters`,
};

function toRow({ value, unit, of, beyond, flag }: Limit): string {
  return `| ${of} | ${UNITS[unit](value)} | ${beyond} | ${flag ? `\`${flag}\`` : ''} |\n`;
}

describe('docs/limits.md', () => {
  test('is made from the limits', () => {
    const expected = INTRODUCTION + Object.values(LIMITS).map(toRow).join('');
    if (env.UPDATE === '1') writeFileSync(FILE, expected);
    expect(readFileSync(FILE, 'utf8')).toBe(expected);
  });
});

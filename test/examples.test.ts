import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';

const EXAMPLES = fileURLToPath(new URL('../examples/', import.meta.url));
const FILES = readdirSync(EXAMPLES).filter((file) => file !== 'README.md');

/** What is wrong on purpose, to show how it is reported. */
const WRONG: Readonly<
  Record<string, { readonly notes?: readonly string[]; readonly violations?: readonly string[] }>
> = {
  'bookshop.yaml': { violations: ['getBestseller'] },
  'mistakes.yaml': { notes: ['GET /owners/{id}', 'pattern', 'x-sunset'] },
};

describe('An example', () => {
  test.each(FILES)('is described in the README beside it: %s', (file) => {
    expect(readFileSync(`${EXAMPLES}README.md`, 'utf8')).toContain(`\`${file}\``);
  });

  test.each(FILES.filter((file) => /^[^.]+\.yaml$/.test(file)))(
    'is served as it is declared: %s',
    async (file) => {
      const { notes = [], violations = [] } = WRONG[file] ?? {};
      const mock = await createMock({ spec: EXAMPLES + file });
      expect(mock.document.notes.map(({ what }) => what)).toEqual(notes);
      expect((await mock.check()).violations.map(({ operation }) => operation)).toEqual(violations);
    },
  );
});

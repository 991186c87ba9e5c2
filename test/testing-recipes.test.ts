import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findCodeBlocks } from './support/code-blocks.ts';
import { runLine } from './support/command.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BLOCKS = findCodeBlocks(readFileSync(join(ROOT, 'docs/testing.md'), 'utf8'));

test('The recipes for tests work, one after the other, as one program', async () => {
  expect(BLOCKS.filter(({ language }) => language !== 'js')).toEqual([]);
  const folder = await mkdtemp(join(tmpdir(), 'recipes-'));
  try {
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const file = join(folder, 'recipes.mjs');
    const [first = '', ...others] = BLOCKS.map(({ text }) => text);
    const start = first.replace("'petstore-mock'", JSON.stringify(join(ROOT, 'dist/index.js')));
    // Each recipe has names of its own.
    const recipes = others.map((text) => `{\n${text}\n}`).join('\n');
    await writeFile(
      file,
      `import { expect } from '@playwright/test';\n${start}\n${recipes}\nconsole.log('done');`,
    );
    expect(await runLine(`cd "${folder}" && "${process.execPath}" "${file}" 2>&1`)).toBe('done\n');
  } finally {
    await rm(folder, { recursive: true });
  }
});

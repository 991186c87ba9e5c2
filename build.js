// Bundles src/ and everything it uses into dist/, so that the package needs no other package: Prism alone would bring
// two hundred, a demand for a newer Node than ours, and telemetry on install.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Prism's own generator wants all locales of faker; ours answers from examples, so English is more than enough. */
const oneLocale = {
  name: 'one-locale',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^@faker-js\/faker$/ }, ({ kind, resolveDir }) =>
      resolve('@faker-js/faker/locale/en', { kind, resolveDir }),
    );
  },
};

/** Newer versions of Node warn about their own punycode; the package by that name is the same, without the warning. */
const quietPunycode = {
  name: 'quiet-punycode',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^punycode$/ }, ({ kind, resolveDir }) => resolve('punycode/', { kind, resolveDir }));
  },
};

await rm(join(root, 'dist'), { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['src/cli.ts', 'src/index.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // Some packages have a UMD build as `main`, whose requires no bundler can follow.
  mainFields: ['module', 'main'],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  metafile: true,
  plugins: [oneLocale, quietPunycode],
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
  },
  logLevel: 'warning',
});
await writeFile(
  join(root, 'dist/THIRD-PARTY-LICENSES.txt'),
  await collectLicenses(Object.keys(metafile.inputs)),
);

/** The licence of every package of which something is in the bundle. */
async function collectLicenses(inputs) {
  const folders = new Set(
    inputs.flatMap((input) => input.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []),
  );
  const entries = await Promise.all([...folders].sort().map(describePackage));
  return `petstore-mock contains code of these packages.\n\n${[...new Set(entries)].join('\n')}`;
}

async function describePackage(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
  const files = [
    'LICENSE',
    'LICENSE.md',
    'LICENSE.txt',
    'LICENCE',
    'license',
    'License',
    'LICENSE-MIT',
    'LICENSE-MIT.txt',
  ];
  for (const file of files) {
    const text = await readFile(join(root, folder, file), 'utf8').catch(() => undefined);
    if (text) return `${name} ${version} (${license})\n\n${text.trim()}\n\n${'-'.repeat(80)}\n`;
  }
  return `${name} ${version} (${license})\n\n${'-'.repeat(80)}\n`;
}

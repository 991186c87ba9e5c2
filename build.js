// Bundles src/ and everything it uses into dist/, so that the package needs no other package: Prism alone would bring
// two hundred, a demand for a newer Node than ours, and telemetry on install.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
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

/**
 * What the sources `require`, that is, load late and yet without waiting. Each becomes a file of its own; what is only
 * imported late (`import()`) becomes one anyway.
 */
const LATE = ['ajv', 'js-yaml', 'yaml'];

const lateFiles = {
  name: 'late-files',
  setup({ onLoad, onResolve }) {
    // The `require` that a module of ours makes for itself is the one that every bundle has already.
    onLoad({ filter: /[\\/]src[\\/].+\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace('const require = createRequire(import.meta.url);', ''),
      loader: 'ts',
    }));
    onResolve({ filter: new RegExp(`^(${LATE.join('|')})$`) }, ({ kind, path, importer }) =>
      kind === 'require-call' && importer.startsWith(join(root, 'src'))
        ? { path: `./late/${path}.cjs`, external: true }
        : undefined,
    );
  },
};

/** What every bundle has in common. */
const BUNDLE = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // Some packages have a UMD build as `main`, whose requires no bundler can follow.
  mainFields: ['module', 'main'],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  plugins: [oneLocale, quietPunycode, lateFiles],
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
  },
  logLevel: 'warning',
};

await rm(join(root, 'dist'), { recursive: true, force: true });
const builds = await Promise.all([
  build({
    ...BUNDLE,
    entryPoints: { cli: 'src/cli/cli.ts', index: 'src/index.ts' },
    outdir: 'dist',
    splitting: true,
    metafile: true,
  }),
  build({
    ...BUNDLE,
    entryPoints: LATE,
    outdir: 'dist/late',
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    banner: {},
    metafile: true,
  }),
]);
await writeFile(
  join(root, 'dist/THIRD-PARTY-LICENSES.txt'),
  await collectLicenses(builds.flatMap(({ metafile }) => Object.keys(metafile.inputs))),
);
await writeFile(join(root, 'dist/own-document.json'), await prepareOwnDocument());

/** The own document as our own code loads it, so that no start has to parse and convert it. */
async function prepareOwnDocument() {
  const program = join(root, 'dist/own-document.js');
  await build({ ...BUNDLE, entryPoints: ['src/document/own-document.ts'], outfile: program });
  const ours = await import(pathToFileURL(program).href);
  await rm(program);
  // Refuses a fixture that does not hold to the document.
  await (await import('./dist/index.js')).createMock();
  return ours.prepareOwnDocument(join(root, 'fixtures'));
}

/** The licence of every package of which something is in the bundle. */
async function collectLicenses(inputs) {
  const folders = new Set(
    inputs.flatMap((input) => input.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []),
  );
  const entries = await Promise.all([...folders].sort().map(describePackage));
  return `petstore-mock contains code of these packages.\n\n${[...new Set(entries)].join('\n')}`;
}

async function describePackage(folder) {
  const { name, version, license, author, repository } = JSON.parse(
    await readFile(join(root, folder, 'package.json'), 'utf8'),
  );
  const file = (await readdir(join(root, folder))).find((each) => /^(licen[cs]e|copying)/i.test(each));
  const text = file
    ? await readFile(join(root, folder, file), 'utf8')
    : `Its package holds no text of the licence. ${[author?.name ?? author, repository?.url ?? repository].filter(Boolean).join(', ')}`;
  return `${name} ${version} (${license})\n\n${text.trim()}\n\n${'-'.repeat(80)}\n`;
}

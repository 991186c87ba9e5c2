// Bundles src/ and everything it uses into dist/, so that the package needs no other package. Prism alone would bring
// more than 140, require a newer Node than ours, and send telemetry on install.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { BUNDLE, LATE_BUNDLE, ROOT } from './bundle.js';

await rm(join(ROOT, 'dist'), { recursive: true, force: true });
const builds = await Promise.all([
  build({
    ...BUNDLE,
    entryPoints: { cli: 'src/cli/cli.ts', index: 'src/index.ts' },
    outdir: 'dist',
    splitting: true,
    metafile: true,
  }),
  build({ ...LATE_BUNDLE, outdir: 'dist/late', metafile: true }),
]);
await writeFile(
  join(ROOT, 'dist/THIRD-PARTY-LICENSES.txt'),
  await collectLicenses(builds.flatMap(({ metafile }) => Object.keys(metafile.inputs))),
);
await writeFile(join(ROOT, 'dist/own-document.json'), await prepareOwnDocument());

/** The own document as our own code loads it, so that no start has to parse and convert it. */
async function prepareOwnDocument() {
  const program = join(ROOT, 'dist/own-document.js');
  await build({ ...BUNDLE, entryPoints: ['src/document/own-document.ts'], outfile: program });
  const ours = await import(pathToFileURL(program).href);
  await rm(program);
  // Refuses a fixture that does not hold to the document.
  await (await import('./dist/index.js')).createMock();
  return ours.prepareOwnDocument(join(ROOT, 'fixtures'));
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
    await readFile(join(ROOT, folder, 'package.json'), 'utf8'),
  );
  const file = (await readdir(join(ROOT, folder))).find((each) => /^(licen[cs]e|copying)/i.test(each));
  const text = file
    ? await readFile(join(ROOT, folder, file), 'utf8')
    : `Its package holds no text of the licence. ${[author?.name ?? author, repository?.url ?? repository].filter(Boolean).join(', ')}`;
  return `${name} ${version} (${license})\n\n${text.trim()}\n\n${'-'.repeat(80)}\n`;
}

// Bundles src/ and everything it uses into dist/, so that the package needs no other package. Prism alone would bring
// more than 140, require a newer Node than ours, and send telemetry on install.
//
//   node build.js           builds the program, if something has changed
//   node build.js --types   builds the declarations too
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  BUNDLE,
  bundleProgram,
  ROOT,
  removeLeftovers,
  toAscii,
  toBrowserBundle,
  toLateBundle,
  toRunnerBundle,
} from './bundle.js';

const DIST = join(ROOT, 'dist');
/** The build grows beside `dist/` and as deep, so that nothing pulls `dist/` from under a running server or a test. */
const PREFIX = '.build-';
const FOLDER = join(ROOT, PREFIX + process.pid);
const OLD = '-old';
/** What the program and the declarations in `dist/` were built from. */
const STAMP = '.built-from.json';
/** The packages that are loaded late are most of the code, and change only with these. */
const LATE_INPUTS = ['build.js', 'bundle.js', 'package-lock.json'];
const INPUTS = [...LATE_INPUTS, 'package.json', 'fixtures', 'spec', 'src', 'tsconfig.json'];

/** What the command and both forms of the library load. A library has no use for the command, so that is late. */
const PROGRAM = `
  export * from './src/index.ts';
  export async function main(...given) {
    const { main } = await import('./src/cli/cli.ts');
    return main(...given);
  }
`;

const require = createRequire(import.meta.url);

const wantsTypes = process.argv.includes('--types');
const inputs = await hashFiles(INPUTS);
const lateInputs = await hashFiles(LATE_INPUTS);
const built = await readStamp();
const needsProgram = built.program !== inputs;
const needsTypes = wantsTypes && built.types !== inputs;
if (needsProgram || needsTypes) await buildBeside();

async function buildBeside() {
  if (!canResolve('esbuild')) {
    console.error(
      'dist/ was not built, because the development dependencies are not installed. Run "npm ci".',
    );
    // Not a reason to fail an installation without them.
    process.exit(process.env.npm_lifecycle_event === 'prepare' ? 0 : 1);
  }
  await removeLeftovers(PREFIX);
  try {
    if (needsProgram) await buildProgram();
    else await cp(DIST, FOLDER, { recursive: true });
    if (needsTypes) await buildTypes();
    else if (existsSync(join(DIST, 'types')))
      await cp(join(DIST, 'types'), join(FOLDER, 'types'), { recursive: true });
    await writeFile(join(FOLDER, STAMP), JSON.stringify(built));
    await swap();
  } finally {
    await rm(FOLDER, { recursive: true, force: true });
  }
}

/** One program, so that nothing has its state twice. */
async function buildProgram() {
  const { build, transform } = await import('esbuild');
  const [metafile, browser] = await Promise.all([
    bundleProgram({ build, transform }, PROGRAM, FOLDER),
    buildBrowser(build),
    buildLate(build),
  ]);
  const program = require(join(FOLDER, 'petstore-mock.cjs'));
  const names = Object.keys(program).filter((name) => name !== 'main');
  const list = names.join(', ');
  await writeFile(
    join(FOLDER, 'index.cjs'),
    `const { ${list} } = require('./petstore-mock.cjs');\nmodule.exports = { ${list} };\n`,
  );
  // Not from the program itself: Node would read all of it for the names of its exports.
  await writeFile(join(FOLDER, 'index.js'), `export { ${list} } from './index.cjs';\n`);
  await buildRunners(build);
  await writeFile(
    join(FOLDER, 'THIRD-PARTY-LICENSES.txt'),
    await collectLicenses([
      ...listPackages(metafile),
      ...listPackages(browser.metafile),
      ...built.latePackages,
    ]),
  );
  // Refuses a fixture that does not hold to the document.
  await program.createMock();
  await writeFile(join(FOLDER, 'own-document.json'), await prepareOwnDocument(build));
  built.program = inputs;
}

/** The entries for test runners, which share the program and leave the runner to the user. Vitest can only be imported. MSW has two copies of itself, so it has two of its entry. */
async function buildRunners(build) {
  await build({ ...toRunnerBundle('esm', ['msw', 'vitest']), outdir: FOLDER });
  await build({
    ...toRunnerBundle('cjs', ['jest', 'msw', 'playwright']),
    outdir: FOLDER,
    outExtension: { '.js': '.cjs' },
  });
  await writeFile(join(FOLDER, 'jest.js'), "export { useMock } from './jest.cjs';\n");
  await writeFile(join(FOLDER, 'playwright.js'), "export { expect, test } from './playwright.cjs';\n");
}

async function buildBrowser(build) {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  return build({ ...toBrowserBundle(version), outdir: join(FOLDER, 'browser'), metafile: true });
}

async function buildLate(build) {
  const outdir = join(FOLDER, 'late');
  if (built.late === lateInputs) return cp(join(DIST, 'late'), outdir, { recursive: true });
  const { metafile, outputFiles } = await build({ ...toLateBundle(), outdir, write: false, metafile: true });
  await mkdir(outdir, { recursive: true });
  await Promise.all(outputFiles.map(({ path, text }) => writeFile(path, toAscii(text))));
  built.late = lateInputs;
  built.latePackages = listPackages(metafile);
}

/** The own document as our own code loads it, so that no start has to parse and convert it. */
async function prepareOwnDocument(build) {
  const file = join(FOLDER, 'own-document.cjs');
  await build({ ...BUNDLE, entryPoints: ['src/document/own-document.ts'], outfile: file });
  const ours = require(file);
  await rm(file);
  return ours.prepareOwnDocument(join(ROOT, 'fixtures'));
}

/** One file of declarations for each of `import` and `require`, of the same content. */
async function buildTypes() {
  const { generateDtsBundle } = await import('dts-bundle-generator');
  const config = join(FOLDER, 'tsconfig.json');
  // `npm run types` checks the sources, so this needs only their declarations, in less than half the time.
  await writeFile(
    config,
    JSON.stringify({ extends: '../tsconfig.json', compilerOptions: { noCheck: true } }),
  );
  const [text] = generateDtsBundle(
    [{ filePath: join(ROOT, 'src/index.ts'), output: { noBanner: true, exportReferencedTypes: false } }],
    { preferredConfigPath: config },
  );
  await rm(config);
  await mkdir(join(FOLDER, 'types'), { recursive: true });
  // Without this line, `await using` would need a setting in the project of the user.
  const declarations = `/// <reference lib="esnext.disposable" />\n${text}`;
  for (const name of ['index.d.ts', 'index.d.cts'])
    await writeFile(join(FOLDER, 'types', name), declarations);
  await buildRunnerTypes();
  built.types = inputs;
}

/** The declarations for test runners and pages refer to those of the program, so that a `MockOptions` is the same type everywhere. */
async function buildRunnerTypes() {
  const { default: ts } = await import('typescript');
  const runners = (await readdir(join(ROOT, 'src/runners'))).filter((name) => name.endsWith('.ts'));
  const compilerOptions = { module: ts.ModuleKind.NodeNext, isolatedDeclarations: true };
  for (const file of [...runners, 'browser/browser.ts']) {
    const fileName = basename(file);
    const text = await readFile(join(ROOT, 'src/runners', file), 'utf8');
    const { outputText } = ts.transpileDeclaration(text, { fileName, compilerOptions });
    for (const letter of ['', 'c']) {
      const declarations = outputText.replace(
        /'(?:(?:\.\.\/)+index|(\.\/[\w-]+))\.ts'/g,
        (_, own = './index') => `'${own}.${letter}js'`,
      );
      await writeFile(join(FOLDER, 'types', fileName.replace('.ts', `.d.${letter}ts`)), declarations);
    }
  }
}

/** Puts the new build in the place of the old one. Another build may do the same at this moment. */
async function swap(tries = 5) {
  const old = `${FOLDER}${OLD}`;
  await rename(DIST, old).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  try {
    await rename(FOLDER, DIST);
  } catch (error) {
    if (tries === 0) throw error;
    await setTimeout(50);
    await swap(tries - 1);
  } finally {
    await rm(old, { recursive: true, force: true });
  }
}

async function hashFiles(names) {
  const hash = createHash('sha256');
  for (const file of await listFiles(names))
    hash
      .update(`${file}\0`)
      .update(await readFile(join(ROOT, file)))
      .update('\0');
  return hash.digest('hex');
}

async function listFiles(names) {
  const lists = names.map(async (name) => {
    const entries = await readdir(join(ROOT, name), { recursive: true, withFileTypes: true }).catch(
      () => undefined,
    );
    if (entries === undefined) return existsSync(join(ROOT, name)) ? [name] : [];
    const files = entries.filter((entry) => entry.isFile());
    return files.map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
  });
  return (await Promise.all(lists)).flat().sort();
}

async function readStamp() {
  return readFile(join(DIST, STAMP), 'utf8').then(JSON.parse, () => ({}));
}

function canResolve(name) {
  try {
    return Boolean(require.resolve(name));
  } catch {
    return false;
  }
}

/** The folders of the packages of which something is in a bundle. */
function listPackages({ inputs }) {
  const names = Object.keys(inputs).flatMap(
    (input) => input.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? [],
  );
  return [...new Set(names)];
}

async function collectLicenses(folders) {
  const entries = await Promise.all([...new Set(folders)].sort().map(describePackage));
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

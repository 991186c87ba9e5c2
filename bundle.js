// How esbuild bundles src/ and everything it uses. `build.js` makes the package with it, `dev.js` a server to work on.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const ROOT = fileURLToPath(new URL('.', import.meta.url));

/** Prism's own generator imports faker with all its locales. Ours answers from examples, so English is enough. */
const oneLocale = {
  name: 'one-locale',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^@faker-js\/faker$/ }, ({ kind, resolveDir }) =>
      resolve('@faker-js/faker/locale/en', { kind, resolveDir }),
    );
  },
};

/** Newer versions of Node warn about their own punycode. The package of the same name is the same code without the warning. */
const quietPunycode = {
  name: 'quiet-punycode',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^punycode$/ }, ({ kind, resolveDir }) => resolve('punycode/', { kind, resolveDir }));
  },
};

/** The ES module of ono writes over `module.exports`, and in a CommonJS bundle these are the exports of the whole bundle. */
const commonOno = {
  name: 'common-ono',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^@jsdevtools\/ono$/ }, ({ kind, resolveDir }) =>
      resolve('@jsdevtools/ono/cjs/index.js', { kind, resolveDir }),
    );
  },
};

/**
 * The packages that the sources load late, by the name of their file. No name has a hash, so that a running server still finds
 * them after the next build.
 */
const LATE = {
  ajv: 'ajv',
  chokidar: 'chokidar',
  'cross-spawn': 'cross-spawn',
  faker: '@faker-js/faker/locale/en',
  formats: 'ajv-formats/dist/formats.js',
  'http-spec': 'http-spec-in-one',
  'js-yaml': 'js-yaml',
  'json-schema-faker': 'json-schema-faker',
  prism: '@stoplight/prism-http',
  sampler: '@stoplight/json-schema-sampler',
  yaml: 'yaml',
};

/** The entries of http-spec, which share most of their code. Only `document/read.ts` leads to them, so they are late too. */
const HTTP_SPEC = ['generators', 'oas', 'oas2', 'oas3'].map((entry) => `@stoplight/http-spec/${entry}`);

const httpSpecInOne = {
  name: 'http-spec-in-one',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^http-spec-in-one$/ }, ({ path }) => ({ path, namespace: 'http-spec' }));
    onLoad({ filter: /.*/, namespace: 'http-spec' }, () => ({
      contents: HTTP_SPEC.map((entry) => `export * from '${entry}';`).join('\n'),
      resolveDir: ROOT,
    }));
  },
};

/**
 * http-spec uses a few functions of lodash, and hashes only the ids that it is not given. Loading all of lodash, and preparing the
 * hashes, takes three times as long as the rest of it.
 */
const lightHttpSpec = {
  name: 'light-http-spec',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^(lodash|fnv-plus)$/ }, ({ path, importer }) =>
      /[\\/]@stoplight[\\/](http-spec|json)[\\/]/.test(importer)
        ? { path, namespace: 'on-first-use', sideEffects: false }
        : undefined,
    );
    onLoad({ filter: /^lodash$/, namespace: 'on-first-use' }, async () => ({
      contents: (await listLodash())
        .map(
          (name) =>
            `Object.defineProperty(exports,'${name}',{get:()=>require('lodash/${name}'),enumerable:true});`,
        )
        .join('\n'),
      resolveDir: ROOT,
    }));
    onLoad({ filter: /^fnv-plus$/, namespace: 'on-first-use' }, () => ({
      contents: "exports.fast1a52hex = (text) => require('fnv-plus').fast1a52hex(text);",
      resolveDir: ROOT,
    }));
  },
};

/** The functions of lodash that http-spec and its helper call, as their published files name them. */
async function listLodash() {
  const folder = join(ROOT, 'node_modules/@stoplight');
  const files = await readdir(join(folder, 'http-spec'), { recursive: true });
  const paths = [
    ...files.filter((name) => name.endsWith('.js')).map((name) => `http-spec/${name}`),
    'json/index.es.js',
  ];
  const texts = await Promise.all(paths.map((path) => readFile(join(folder, path), 'utf8')));
  const names = texts.flatMap((text) => [
    ...[...text.matchAll(/\blodash_1\.(\w+)/g)].map(([, name]) => name),
    ...((/import\{([^}]*)\}from"lodash"/.exec(text)?.[1] ?? '').match(/\w+(?= as )/g) ?? []),
  ]);
  return [...new Set(names)];
}

const lateFiles = {
  name: 'late-files',
  setup({ initialOptions, onLoad, onResolve }) {
    // Our modules make a `require` for themselves. A CommonJS bundle has one.
    onLoad({ filter: /[\\/]src[\\/].+\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace('const require = createRequire(import.meta.url);', ''),
      loader: 'ts',
    }));
    const files = new Map(Object.entries(LATE).map(([file, name]) => [name, `./late/${file}.cjs`]));
    for (const entry of HTTP_SPEC) files.set(entry, './late/http-spec.cjs');
    onResolve({ filter: /^[@a-z]/ }, ({ kind, path, importer }) => {
      const isLate = kind === 'require-call' || kind === 'dynamic-import' || HTTP_SPEC.includes(path);
      const file = isLate && importer.startsWith(join(ROOT, 'src')) ? files.get(path) : undefined;
      if (file === undefined) return undefined;
      return { path: initialOptions.external?.includes(path) ? path : file, external: true };
    });
  },
};

/** What the sources import at once though few starts call it, by the functions that they use. */
const ON_CALL = {
  'json-schema-faker': ['generateSync'],
  'node:child_process': ['spawn'],
  'node:crypto': ['createHash', 'createHmac', 'randomBytes', 'randomUUID'],
};

/** Puts functions in the place of these modules that load them when they are called. */
const onCall = {
  name: 'on-call',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^[@a-z]/ }, ({ kind, path, importer, namespace }) => {
      if (ON_CALL[path] === undefined) return undefined;
      if (namespace === 'on-call')
        return { path: path in LATE ? `./late/${path}.cjs` : path, external: true };
      const isOurs = kind === 'import-statement' && importer.startsWith(join(ROOT, 'src'));
      return isOurs ? { path, namespace: 'on-call', sideEffects: false } : undefined;
    });
    onLoad({ filter: /.*/, namespace: 'on-call' }, ({ path }) => ({
      contents: [
        `let loaded;\nconst load = () => (loaded ??= require('${path}'));`,
        ...ON_CALL[path].map((name) => `export const ${name} = (...given) => load().${name}(...given);`),
      ].join('\n'),
      resolveDir: ROOT,
    }));
  },
};

const COMMON = {
  absWorkingDir: ROOT,
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  // Some packages name a UMD build as `main`, and no bundler can follow its requires.
  mainFields: ['module', 'main'],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  plugins: [oneLocale, quietPunycode, commonOno, httpSpecInOne, lightHttpSpec, lateFiles],
  logLevel: 'warning',
};

/** CommonJS, which every loader of modules can read. Jest has no `import()`, so turn it into `require`. */
const COMMON_JS = { format: 'cjs', supported: { 'dynamic-import': false } };

const META_URL = { 'import.meta.url': 'importMetaUrl' };
const TO_META_URL = "const importMetaUrl=require('node:url').pathToFileURL(__filename).href;";

/** A bundle of our sources in one file. */
export const BUNDLE = { ...COMMON, ...COMMON_JS, banner: { js: TO_META_URL }, define: META_URL };

/**
 * Keeps what the sources import dynamically in files of its own. Each of them begins with the program, and those of the command with
 * the command, so that what these need is in one file, and not in one for each set of files that shares a part of it.
 */
const lateParts = (program) => ({
  name: 'late-parts',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^program$/ }, ({ path }) => ({ path, namespace: 'program' }));
    onLoad({ filter: /.*/, namespace: 'program' }, () => ({ contents: program, resolveDir: ROOT }));
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ kind, path, importer, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const before = importer.startsWith(join(ROOT, 'src/cli')) ? ['program', COMMAND] : ['program'];
      return { path: join(resolveDir, path), namespace: 'late', pluginData: before };
    });
    onLoad({ filter: /.*/, namespace: 'late' }, ({ path, pluginData }) => ({
      contents: [
        ...pluginData.map((each) => `import ${JSON.stringify(each)};`),
        `export * from ${JSON.stringify(path)};`,
      ].join('\n'),
      resolveDir: ROOT,
    }));
  },
});

const COMMAND = './src/cli/cli.ts';

/** The names of these files in `dist/`. */
export const PART = /-[A-Z\d]{8}\.cjs$/;

/**
 * Bundles the program into several files, so that a start reads and compiles only what it needs. esbuild splits ES modules alone, so
 * each of them becomes CommonJS afterwards.
 */
export async function bundleProgram({ build, transform }, program, folder) {
  const { metafile, outputFiles } = await build({
    ...COMMON,
    entryPoints: [{ in: 'program', out: 'petstore-mock' }],
    format: 'esm',
    splitting: true,
    define: META_URL,
    plugins: [lateParts(program), onCall, ...COMMON.plugins],
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    write: false,
    metafile: true,
  });
  const { platform, target, minifySyntax, minifyWhitespace } = COMMON;
  // With this name, esbuild reads the default of a late package as Node does. Our own modules export none.
  const sourcefile = 'part.mjs';
  const options = { ...COMMON_JS, platform, target, sourcefile, minifySyntax, minifyWhitespace };
  await mkdir(folder, { recursive: true });
  await Promise.all(
    outputFiles.map(async ({ path, text }) => {
      const banner = text.includes('importMetaUrl') ? TO_META_URL : '';
      await writeFile(path, toAscii((await transform(text, { ...options, banner })).code));
    }),
  );
  return metafile;
}

/** V8 holds a source with one other character in two bytes for each. esbuild leaves those of regular expressions. */
export function toAscii(code) {
  return code.replace(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The late packages, for a folder `late` beside the program, except those that are named here. */
export function toLateBundle(except = []) {
  const entries = Object.entries(LATE).filter(([, name]) => !except.includes(name));
  return { ...COMMON, entryPoints: Object.fromEntries(entries), outExtension: { '.js': '.cjs' } };
}

/** The entries for test runners, for the folder of the program. */
export function toRunnerBundle(format, names) {
  const program = {
    name: 'program',
    setup({ onResolve }) {
      onResolve({ filter: /^\.\.\/index\.ts$/ }, () => ({
        path: `./index.${format === 'esm' ? 'js' : 'cjs'}`,
        external: true,
      }));
    },
  };
  return {
    ...COMMON,
    entryPoints: Object.fromEntries(names.map((name) => [name, `src/runners/${name}.ts`])),
    format,
    packages: 'external',
    plugins: [program],
  };
}

/** What stands in a page for the parts of Node that the serving part uses. */
const NODE_PARTS = {
  buffer: 'node-buffer',
  crypto: 'node-crypto',
  fs: 'node-files',
  'fs/promises': 'node-files',
  http: 'node-http',
  module: 'node-files',
  path: 'node-files',
  'stream/consumers': 'node-files',
  url: 'node-files',
  util: 'node-util',
};

/** The rooms that a page cannot have. */
const NODE_ROOMS = {
  './http.ts': 'left-out',
  './state-file/state-file.ts': 'left-out',
  './check/check.ts': 'left-out',
  './caller-check.ts': 'left-out',
  './shards.ts': 'left-out',
};

/** Replaces what only Node has by the files of `src/runners/browser/`. */
const withoutNode = {
  name: 'without-node',
  setup({ onLoad, onResolve }) {
    const toFile = (name) => ({ path: join(ROOT, `src/runners/browser/${name}.ts`) });
    onResolve({ filter: /^node:/ }, ({ path }) => toFile(NODE_PARTS[path.slice('node:'.length)]));
    onResolve({ filter: /\/package-files\.ts$/ }, () => toFile('package-files'));
    onResolve({ filter: /^\.\.?\// }, ({ path, importer }) =>
      NODE_ROOMS[path] && /[\\/]src[\\/]/.test(importer) ? toFile(NODE_ROOMS[path]) : undefined,
    );
    onLoad({ filter: /[\\/]src[\\/].+\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace('const require = createRequire(import.meta.url);', ''),
      loader: 'ts',
    }));
    onResolve({ filter: /^globals-of-node$/ }, ({ path }) => ({ path, namespace: 'globals' }));
    onLoad({ filter: /.*/, namespace: 'globals' }, () => ({
      contents: "export { Buffer } from 'buffer/';",
      resolveDir: ROOT,
    }));
  },
};

/** The serving part for pages, as ES modules, of which those that only some documents need are loaded late. */
export function toBrowserBundle(version) {
  return {
    ...COMMON,
    entryPoints: { index: 'src/runners/browser/browser.ts' },
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    minify: true,
    splitting: true,
    mainFields: ['browser', 'module', 'main'],
    inject: ['globals-of-node'],
    define: {
      STATUS_CODES_OF_NODE: JSON.stringify(STATUS_CODES),
      OWN_VERSION: JSON.stringify(version),
      'process.env.NODE_ENV': '"production"',
    },
    plugins: [oneLocale, commonOno, withoutNode],
  };
}

/** Removes the folders `<prefix><pid>` of processes that were killed. */
export async function removeLeftovers(prefix) {
  const names = (await readdir(ROOT)).filter((name) => name.startsWith(prefix));
  const left = names.filter((name) => !isAlive(Number(name.slice(prefix.length))));
  await Promise.all(left.map((name) => rm(join(ROOT, name), { recursive: true, force: true })));
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

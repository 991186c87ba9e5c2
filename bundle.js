// How esbuild bundles src/ and everything it uses. `build.js` makes the package with it, `dev.js` a server to work on.
import { readFile } from 'node:fs/promises';
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

/** The packages that the sources `require`, because synchronous code loads them late. Each becomes a file of its own. */
const LATE = ['ajv', 'js-yaml', 'yaml'];

const lateFiles = {
  name: 'late-files',
  setup({ onLoad, onResolve }) {
    // Our modules make a `require` for themselves. In a bundle they use the one that the banner makes.
    onLoad({ filter: /[\\/]src[\\/].+\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace('const require = createRequire(import.meta.url);', ''),
      loader: 'ts',
    }));
    onResolve({ filter: new RegExp(`^(${LATE.join('|')})$`) }, ({ kind, path, importer }) =>
      kind === 'require-call' && importer.startsWith(join(ROOT, 'src'))
        ? { path: `./late/${path}.cjs`, external: true }
        : undefined,
    );
  },
};

/** What all bundles have in common. */
export const BUNDLE = {
  absWorkingDir: ROOT,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // Some packages name a UMD build as `main`, and no bundler can follow its requires.
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

/** The late packages, for a folder `late` beside the program. */
export const LATE_BUNDLE = {
  ...BUNDLE,
  entryPoints: LATE,
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  banner: {},
};

import { availableParallelism } from 'node:os';
import type { Plugin } from 'vite';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that replace modules, measure what a fresh process needs, or only wait for processes that they start. */
const ISOLATED = ['first-use', 'growth', 'code-cache', 'dev', 'peak-memory', 'start'].map(
  (name) => `test/${name}.test.ts`,
);

/** Files that wait more than they compute: for processes, time-outs and slow clients. */
const WAITING =
  /\/(?:accounts|cli|clock|connections|end-to-end|events|exec|fault-effects|long-answers|memory|package|start-mistakes|state-file|state-file-command|sunset|test-runners|waiting)\.test\.ts$/;

/** Spreads the files that wait among the others, so that no core is idle while all workers wait. */
class Spread extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waiting = sorted.filter(({ moduleId }) => WAITING.test(moduleId));
    const others = sorted.filter(({ moduleId }) => !WAITING.test(moduleId));
    // The short ones at the end fill what is left.
    const gap = Math.max(1, Math.floor((others.length * 0.6) / waiting.length));
    const spread = others.flatMap((file, at) => (at % gap === 0 ? [...waiting.splice(0, 1), file] : [file]));
    return [...spread, ...waiting];
  }
}

/** Lets mocks load the pet store's own document as the package does, already converted: 10 ms less for each of thousands. */
const preparedDocument: Plugin = {
  name: 'prepared-document',
  transform: (code, id) =>
    id.endsWith('/src/package-files.ts')
      ? code.replace('./own-document.json', '../dist/own-document.json')
      : undefined,
};

const config: ViteUserConfig = defineConfig({
  plugins: [preparedDocument],
  test: {
    globalSetup: 'test/support/build.ts',
    // Loading the sources once in each worker, not once for each file, saves a minute.
    projects: [
      {
        extends: true,
        test: { name: 'shared', isolate: false, include: ['test/**/*.test.ts'], exclude: ISOLATED },
      },
      { extends: true, test: { name: 'isolated', include: ISOLATED } },
    ],
    setupFiles: ['test/support/chance.ts'],
    testTimeout: 30_000,
    // Most code of a test runs a few times: collecting and optimizing it early costs a tenth of all CPU time.
    execArgv: ['--max-semi-space-size=64', '--interrupt-budget=600000'],
    // More than one worker for each core, because many files wait for sockets and processes. A percentage would be cut to one.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    sequence: { sequencer: Spread },
    reporters: process.env.CI ? ['default', 'json'] : ['default'],
    outputFile: { json: 'test-results.json' },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'text'],
      thresholds: { lines: 95 },
    },
  },
});

export default config;

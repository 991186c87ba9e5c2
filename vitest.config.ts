import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** Files that replace modules, or measure what a fresh process needs. */
const ISOLATED = ['test/first-use.test.ts', 'test/growth.test.ts'];

const config: ViteUserConfig = defineConfig({
  test: {
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
    // More than one worker for each core, because many files wait for sockets and processes.
    maxWorkers: '150%',
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

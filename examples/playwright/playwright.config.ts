import { defineConfig } from '@playwright/test';

const url = `http://localhost:${process.env.PORT ?? 5173}`;

export default defineConfig({
  fullyParallel: true,
  projects: [
    { name: 'api', testMatch: 'api.spec.ts' },
    {
      name: 'page',
      testMatch: 'page.spec.ts',
      use: {
        baseURL: url,
        // A browser of the system, where it is not that of `npx playwright install`.
        launchOptions: process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM } : {},
      },
    },
  ],
  webServer: { command: 'node serve.js', url, reuseExistingServer: !process.env.CI },
});

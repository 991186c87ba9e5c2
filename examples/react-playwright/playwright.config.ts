import { defineConfig } from '@playwright/test';

const url = `http://localhost:${process.env.PORT ?? 5173}`;

export default defineConfig({
  testDir: 'tests',
  fullyParallel: true,
  workers: 2,
  use: {
    baseURL: url,
    // A browser of the system, where it is not that of `npx playwright install`.
    launchOptions: process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM } : {},
  },
  webServer: {
    command: 'npm run build && npm run preview',
    url,
    reuseExistingServer: !process.env.CI,
  },
});

import { defineConfig } from '@playwright/test';

const port = process.env.PORT ?? '5173';
const url = `http://localhost:${port}`;

export default defineConfig({
  testMatch: '*.spec.js',
  use: {
    baseURL: url,
    // A browser of the system, where it is not that of `npx playwright install`.
    launchOptions: process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM } : {},
  },
  webServer: {
    command: `vite preview --host localhost --strictPort --port ${port}`,
    url,
    reuseExistingServer: !process.env.CI,
  },
});

import { existsSync } from 'node:fs';
import { type Browser, chromium } from '@playwright/test';

/** The browsers of this machine that Playwright can drive; none on one without Chromium. */
export const BROWSERS: readonly string[] = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].filter((path) => existsSync(path));

/** Starts a browser in which the given name leads to this machine. */
export function launch(executablePath: string, name: string): Promise<Browser> {
  const args = ['--no-sandbox', `--host-resolver-rules=MAP ${name} 127.0.0.1`];
  return chromium.launch({ executablePath, args });
}

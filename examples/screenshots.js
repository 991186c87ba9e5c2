// Takes the pictures of the README, in docs/images: the shop of react-playwright, and the report of a visit to it.
//
//   npm run build && node examples/screenshots.js
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { build, preview } from 'vite';
import { createMock } from '../dist/index.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SHOP = join(ROOT, 'examples/react-playwright');
const IMAGES = join(ROOT, 'docs/images');
const COMMAND = join(ROOT, 'bin/petstore-mock.js');
const CHROMIUM = '/usr/bin/chromium';

const folder = await mkdtemp(join(tmpdir(), 'screenshots-'));
const browser = await chromium.launch(existsSync(CHROMIUM) ? { executablePath: CHROMIUM } : {});
const mock = await createMock();
const shop = await serveShop();
try {
  await mkdir(IMAGES, { recursive: true });
  await shootShop('light', 'shop-light.png', async () => {});
  await shootShop('dark', 'shop-dark.png', order);
  await shootReport('coverage.png');
} finally {
  await Promise.all([browser.close(), mock.close(), shop.close()]);
  await rm(folder, { recursive: true });
}

async function serveShop() {
  const dist = { outDir: join(folder, 'shop'), emptyOutDir: true };
  await build({ root: SHOP, build: dist, logLevel: 'warn' });
  return preview({ root: SHOP, build: dist, preview: { port: 0 } });
}

async function shootShop(colorScheme, file, act) {
  const page = await open(colorScheme, { width: 1200, height: 750 });
  const { url } = await mock.listen({ port: 0 });
  await page.addInitScript((api) => {
    window.SHOP_API = api;
  }, url);
  await page.goto(shop.resolvedUrls.local[0]);
  await page.getByRole('link', { name: 'Biscuit' }).waitFor();
  await act(page);
  await page.screenshot({ path: join(IMAGES, file), animations: 'disabled' });
  await page.close();
}

/** Orders two birds, of which the page of a pet then has fewer. */
async function order(page) {
  await page.getByRole('radio', { name: 'Available' }).check();
  await page.getByRole('radio', { name: 'Birds' }).check();
  await page.getByRole('link', { name: 'Budgerigar' }).click();
  await page.getByRole('spinbutton', { name: 'Quantity' }).fill('2');
  await page.getByRole('button', { name: 'Order Budgerigar' }).click();
  await page.getByText('Thank you!').waitFor();
  await page.getByText('4 available').waitFor();
}

/** Both themes in one picture, light on the left and dark on the right. */
async function shootReport(file) {
  const [json, html] = ['coverage.json', 'coverage.html'].map((name) => join(folder, name));
  await writeFile(json, JSON.stringify(mock.coverage()));
  execFileSync(process.execPath, [COMMAND, 'report', json, '--report', html]);
  const viewport = { width: 820, height: 696 };
  const [light, dark] = await Promise.all(
    ['light', 'dark'].map(async (theme) => {
      const page = await open(theme, viewport);
      await page.goto(pathToFileURL(html).href);
      return `data:image/png;base64,${(await page.screenshot()).toString('base64')}`;
    }),
  );
  const page = await open('light', viewport);
  await page.setContent(`<style>
    body { margin: 0; background: url(${light}) }
    img { display: block; clip-path: inset(0 0 0 50%) }
  </style><img src="${dark}">`);
  await page.locator('img').evaluate((image) => image.decode());
  await page.screenshot({ path: join(IMAGES, file) });
}

function open(colorScheme, viewport) {
  return browser.newPage({
    colorScheme,
    viewport,
    reducedMotion: 'reduce',
    userAgent: 'whisker-and-fin/1.4',
  });
}

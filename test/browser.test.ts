import { createHash, createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createMock } from '../src/index.ts';
import type { BrowserOptions, createMock as createInPage } from '../src/runners/browser/browser.ts';
import { isAscii, isUtf8 } from '../src/runners/browser/node-buffer.ts';
import * as pageCrypto from '../src/runners/browser/node-crypto.ts';
import { isDeepStrictEqual as isEqualInPage } from '../src/runners/browser/node-util.ts';
import { json } from './support/adapters.ts';

const FOLDER = new URL('../dist/browser/', import.meta.url);
const ROOT = new URL('..', import.meta.url);

/** The build for pages. It needs nothing of Node, so Node can load it too; examples/msw-browser runs it in a browser. */
const page: { readonly createMock: typeof createInPage } = await import(new URL('index.js', FOLDER).href);

const readYaml = (file: string) => parse(readFileSync(new URL(file, ROOT), 'utf8'));
const petStore = readYaml('spec/openapi.yaml');
const bookshop = readYaml('examples/bookshop.yaml');
const fixtures = Object.fromEntries(
  readdirSync(new URL('fixtures', ROOT)).map((file) => [
    file.replace('.json', ''),
    JSON.parse(readFileSync(new URL(`fixtures/${file}`, ROOT), 'utf8')),
  ]),
);

describe('The build for pages', () => {
  const files = readdirSync(FOLDER);

  test('has at most 600 kB, compressed, in all its parts together', () => {
    const sizes = files.map((file) => gzipSync(readFileSync(new URL(file, FOLDER))).length);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(600_000);
  });

  test('imports nothing of Node and no package', () => {
    const imports = files.flatMap((file) => {
      const { importedFiles } = ts.preProcessFile(readFileSync(new URL(file, FOLDER), 'utf8'));
      return importedFiles.map(({ fileName }) => fileName);
    });
    expect(imports.length).toBeGreaterThan(5);
    expect(imports.filter((name) => !name.startsWith('./'))).toEqual([]);
  });

  const requests: readonly (readonly [path: string, init?: RequestInit])[] = [
    ['/pets/1'],
    ['/pets?limit=2&offset=3'],
    ['/pets?limit=x'],
    ['/pats'],
    ['/pets', json('POST', { name: 'Nöri', categoryId: 2 })],
    ['/pets', json('POST', { name: 'Kim', categoryId: 2 }, { 'Idempotency-Key': '"one"' })],
    ['/pets', json('POST', { name: 'Kim', categoryId: 2 }, { 'Idempotency-Key': '"one"' })],
    ['/pets', json('POST', {})],
    ['/pets/1', { method: 'DELETE' }],
    ['/pets/2', { headers: { Prefer: 'code=503' } }],
    ['/authors'],
    ['/books', { headers: { Accept: 'application/xml' } }],
    ['/openapi.yaml'],
    ['/openapi.json'],
  ];

  test.each([
    ['the pet store', { spec: petStore, fixtures }],
    ['a document with made-up entities', { spec: bookshop, seed: 'a text' }],
  ])('answers as the mock in Node does: %s', async (_, options: BrowserOptions) => {
    const [inPage, inNode] = await Promise.all([page.createMock(options), createMock(options)]);
    for (const [path, init] of requests) {
      const [one, other] = [await inPage.fetch(path, init), await inNode.fetch(path, init)];
      const shown = [one.status, Object.fromEntries(one.headers), await one.text()];
      expect(shown).toEqual([other.status, Object.fromEntries(other.headers), await other.text()]);
    }
    expect(inPage.journal.map(({ path, status }) => [path, status])).toEqual(
      inNode.journal.map(({ path, status }) => [path, status]),
    );
  });

  test('signs users in with the tokens that the mock in Node issues', async () => {
    const options = { spec: readYaml('test/documents/accounts.yaml'), strictAuth: true };
    const mocks = await Promise.all([page.createMock(options), createMock(options)]);
    const tokens = mocks.map(async (mock) => {
      mock.clock.freeze('2027-01-01T00:00:00Z');
      const user = { email: 'anna@example.com', password: 'opensesame' };
      await mock.fetch('/auth/register', json('POST', user));
      const body = new URLSearchParams({ username: user.email, password: user.password });
      const { accessToken } = (await (await mock.fetch('/auth/token', { method: 'POST', body })).json()) as {
        accessToken: string;
      };
      const own = { headers: { Authorization: `Bearer ${accessToken}` } };
      expect(await (await mock.fetch('/users/me', own)).json()).toMatchObject({ email: user.email });
      return accessToken;
    });
    const [inPage, inNode] = await Promise.all(tokens);
    expect(inPage).toBe(inNode);
  });

  test.each([
    ['no document', {}, 'Give the document as an object'],
    ['a file', { spec: 'openapi.yaml' }, 'Give the document as an object'],
    ['fixtures in files', { spec: petStore, fixtures: 'fixtures' }, 'Give the fixtures as an object'],
    ['a state file', { spec: petStore, state: 'state.json' }, 'A page cannot keep its state in a file'],
    ['an unknown option', { spec: petStore, sead: 7 }, 'Did you mean seed?'],
    ['an empty document', { spec: { openapi: '3.1.0' } }, 'the document has no operation'],
  ])('refuses %s', async (_, options, message) => {
    await expect(page.createMock(options as BrowserOptions)).rejects.toThrow(message);
  });

  test('has no control API, and listens nowhere', async () => {
    const mock = await page.createMock({ spec: petStore, fixtures });
    expect((await mock.fetch('/__mock/state')).status).toBe(404);
    await expect((mock as unknown as { listen(): Promise<void> }).listen()).rejects.toThrow('cannot listen');
  });
});

describe('What stands in a page for a part of Node does the same', () => {
  test('node:crypto', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.string({ maxLength: 100 }), (bytes, key) => {
        const hash = pageCrypto.createHash('sha256').update(key).update(bytes);
        expect(hash.digest('hex')).toBe(createHash('sha256').update(key).update(bytes).digest('hex'));
        const hmac = pageCrypto.createHmac('sha256', key).update(bytes);
        expect(hmac.digest('base64url')).toBe(createHmac('sha256', key).update(bytes).digest('base64url'));
      }),
    );
  });

  test('node:buffer', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string({ unit: 'binary' }), (bytes, text) => {
        expect(isAscii(bytes)).toBe(bytes.every((byte) => byte < 128));
        expect(isUtf8(Buffer.from(text))).toBe(true);
        expect(isUtf8(bytes)).toBe(Buffer.from(Buffer.from(bytes).toString()).equals(bytes));
      }),
    );
  });

  test('node:util', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        expect(isEqualInPage(one, other)).toBe(isDeepStrictEqual(one, other));
        expect(isEqualInPage(one, structuredClone(one))).toBe(true);
      }),
    );
  });

  test('node:http', async () => {
    Object.assign(globalThis, { STATUS_CODES_OF_NODE: {} });
    const inPage = await import('../src/runners/browser/node-http.ts');
    const passes = (check: () => void) => {
      try {
        check();
        return true;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 5 }), (text) => {
        expect(passes(() => inPage.validateHeaderName(text))).toBe(passes(() => validateHeaderName(text)));
        expect(passes(() => inPage.validateHeaderValue('a', text))).toBe(
          passes(() => validateHeaderValue('a', text)),
        );
      }),
    );
  });
});

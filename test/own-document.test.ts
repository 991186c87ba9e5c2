import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadDocument } from '../src/document/document.ts';
import { loadOwnDocument, prepareOwnDocument } from '../src/document/own-document.ts';
import { OWN_DOCUMENT, OWN_FIXTURES } from '../src/package-files.ts';

const BUILT = new URL('../dist/own-document.json', import.meta.url);

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'own-document-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** A file beside the program as the build leaves it. */
async function writePrepared(content: string) {
  const file = join(folder, 'own-document.json');
  await writeFile(file, content);
  return pathToFileURL(file);
}

describe('The own document that is prepared at build time', () => {
  test('is what loading it gives', async () => {
    const loaded = await loadDocument(OWN_DOCUMENT);
    const prepared = await loadOwnDocument(
      OWN_DOCUMENT,
      await writePrepared(await prepareOwnDocument(OWN_FIXTURES)),
    );
    const { source, ...read } = prepared ?? {};
    const { source: own, ...wanted } = loaded;
    // JSON, because the parts of an operation that are converted when they are first read are no members of their own.
    const root = JSON.parse(JSON.stringify(wanted.root));
    expect(root.operations[0]).toMatchObject({ request: {}, responses: expect.any(Array) });
    expect(read).toEqual({ ...wanted, root, reader: expect.anything(), checkedFixtures: expect.any(Set) });
    expect([source?.location, own.location]).toEqual([OWN_DOCUMENT, OWN_DOCUMENT]);
    expect(prepared?.root.operations).not.toEqual([]);
    expect(prepared?.security).toEqual(loaded.security);
  });

  test('is in the build', async () => {
    expect(await readFile(BUILT, 'utf8')).toBe(await prepareOwnDocument(OWN_FIXTURES));
  });

  test('is taken by any path that leads to it, and keeps that path', async () => {
    const file = await writePrepared(await prepareOwnDocument(OWN_FIXTURES));
    const document = await loadOwnDocument('spec/openapi.yaml', file);
    expect(document).toMatchObject({ location: 'spec/openapi.yaml', files: ['spec/openapi.yaml'] });
  });

  test.each([
    ['another file', 'test/documents/library.yaml'],
    ['an object', { openapi: '3.0.3' }],
  ])('is not taken for %s', async (_, spec) => {
    const file = await writePrepared(await prepareOwnDocument(OWN_FIXTURES));
    expect(await loadOwnDocument(spec, file)).toBeUndefined();
  });

  test('is not taken when the file has changed since', async () => {
    const { text, ...rest } = JSON.parse(await prepareOwnDocument(OWN_FIXTURES));
    const file = await writePrepared(JSON.stringify({ text: `${text}\n`, ...rest }));
    expect(await loadOwnDocument(OWN_DOCUMENT, file)).toBeUndefined();
  });

  test('is not taken where none was prepared', async () => {
    expect(await loadOwnDocument(OWN_DOCUMENT, pathToFileURL(join(folder, 'none.json')))).toBeUndefined();
  });
});

import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { OWN_DOCUMENT, PREPARED_DOCUMENT } from '../package-files.ts';
import { type Document, type LoadedDocument, loadDocument } from './load.ts';
import type { Requirements } from './security.ts';
import { toSource } from './source.ts';

/** The own document as loading gave it when the package was built, and the texts that it was made of. */
interface Prepared extends Pick<Document, 'title' | 'basePath' | 'root'> {
  readonly text: string;
  readonly fixtures: readonly string[];
  readonly security: readonly (readonly [label: string, Requirements])[];
}

/**
 * Loads the own document, and gives it as text for `loadOwnDocument`. `fixtures` is the directory of its fixtures, which must
 * have been checked.
 */
export async function prepareOwnDocument(fixtures: string): Promise<string> {
  const names = (await readdir(fixtures)).sort();
  const text = await readFile(OWN_DOCUMENT, 'utf8');
  const { title, basePath, root, security, notes, files } = await loadDocument(OWN_DOCUMENT);
  if (notes.length > 0 || files.length > 1) {
    throw new Error(`${OWN_DOCUMENT} must be sound and in one file, to be prepared for a quick start.`);
  }
  const prepared: Prepared = {
    ...{ text, title, basePath, root, security: [...security] },
    fixtures: await Promise.all(names.map((name) => readFile(join(fixtures, name), 'utf8'))),
  };
  return JSON.stringify(prepared);
}

/**
 * The own document without parsing and converting it; `undefined` where another one is named, where none was prepared, or
 * where its file has changed since.
 */
export async function loadOwnDocument(
  location: string | object,
  preparedFile: URL = PREPARED_DOCUMENT,
): Promise<LoadedDocument | undefined> {
  if (typeof location !== 'string' || resolve(location) !== OWN_DOCUMENT) return undefined;
  const [text, content] = await Promise.all([readIfPossible(OWN_DOCUMENT), readIfPossible(preparedFile)]);
  if (text === undefined || content === undefined) return undefined;
  const prepared = JSON.parse(content) as Prepared;
  if (prepared.text !== text) return undefined;
  const { title, basePath, root, security, fixtures } = prepared;
  return {
    // It is sound, so that nothing is ever said of a place in it.
    ...{ source: toSource({}, location), location, files: [location], title, basePath, root },
    ...{ security: new Map(security), notes: [], leftOut: new Set<string>() },
    checkedFixtures: new Set(fixtures),
  };
}

/** What cannot be read is read, and complained of, in the ordinary way. */
function readIfPossible(file: string | URL): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

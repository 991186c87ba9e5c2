import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { OWN_DOCUMENT, PREPARED_DOCUMENT } from '../package-files.ts';
import { createSchemaReader } from '../schema/schema.ts';
import type { Document, LoadedDocument } from './http-document.ts';
import { loadDocument } from './load.ts';
import type { Requirements } from './security.ts';
import { toSource } from './source.ts';

/** The own document as loaded when the package was built, with the texts it was built from. */
interface BuiltDocument extends Pick<Document, 'title' | 'basePath' | 'root'> {
  readonly text: string;
  readonly fixtures: readonly string[];
  readonly security: readonly (readonly [label: string, Requirements])[];
}

/**
 * Loads the own document and serializes it for `loadOwnDocument`. `fixtures` is the directory of its fixtures, which must have been
 * checked.
 */
export async function prepareOwnDocument(fixtures: string): Promise<string> {
  const names = (await readdir(fixtures)).sort();
  const text = await readFile(OWN_DOCUMENT, 'utf8');
  const { title, basePath, root, security, notes, files } = await loadDocument(OWN_DOCUMENT);
  if (notes.length > 0 || files.length > 1)
    throw new Error(`${OWN_DOCUMENT} must be a single file without diagnostics.`);
  const built: BuiltDocument = {
    ...{ text, title, basePath, root, security: [...security] },
    fixtures: await Promise.all(names.map((name) => readFile(join(fixtures, name), 'utf8'))),
  };
  return JSON.stringify(built);
}

/**
 * Loads the own document without parsing and converting it. Returns `undefined` for another document, without a prepared file, or
 * if the document changed since the build.
 */
export async function loadOwnDocument(
  location: string | object,
  preparedFile: URL = PREPARED_DOCUMENT,
): Promise<LoadedDocument | undefined> {
  if (typeof location !== 'string' || resolve(location) !== OWN_DOCUMENT) return undefined;
  const [text, content] = await Promise.all([readIfPossible(OWN_DOCUMENT), readIfPossible(preparedFile)]);
  if (text === undefined || content === undefined) return undefined;
  const { fixtures, security, ...built } = JSON.parse(content) as BuiltDocument;
  if (built.text !== text) return undefined;
  const { title, basePath, root } = built;
  return {
    // No message refers to a place in a document without mistakes, so its data is not needed.
    ...{ source: toSource({}, location), location, files: [location], title, basePath, root },
    reader: createSchemaReader(root),
    ...{ security: new Map(security), notes: [], leftOut: new Set<string>() },
    checkedFixtures: new Set(fixtures),
  };
}

/** Returns `undefined` for an unreadable file; the ordinary way reports it. */
function readIfPossible(file: string | URL): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

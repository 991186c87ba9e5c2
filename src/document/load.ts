import type { LoadedDocument } from './http-document.ts';
import { loadYamlParser } from './load-yaml.ts';
import type { ReadOptions } from './read.ts';
import type { DocumentMediaType } from './served.ts';
import { readSource, type Source, toSource } from './source.ts';

/**
 * Loads an OpenAPI 3.0 or 3.1 or Swagger 2.0 document from a file, a URL, standard input (`-`) or an object. Throws a
 * SetupError with file, line and remedy.
 */
export async function loadDocument(
  document: string | object,
  options: ReadOptions = {},
): Promise<LoadedDocument> {
  const source = await openSource(document);
  // Importing the conversion takes longer than serving the own document, which is already converted.
  const { readDocument } = await import('./read.ts');
  return { source, ...(await readDocument(source, options)) };
}

/** Loads the code that will read a document from a file, a URL or standard input, and not the document. */
export async function loadReader(location: string): Promise<void> {
  if (/\.ya?ml$/i.test(location)) loadYamlParser();
  await import('./read.ts');
}

/**
 * Reads a document again and writes it as it is served; the one of standard input comes from its source. Throws a SetupError if it can
 * no longer be read.
 */
export async function readServed(
  document: { readonly from: string | object } | { readonly source: Source },
  mediaType: DocumentMediaType,
  allowRemoteRefs = false,
): Promise<string> {
  const source = 'source' in document ? document.source : await openSource(document.from);
  const { writeServed } = await import('./served.ts');
  return writeServed(source, mediaType, allowRemoteRefs);
}

async function openSource(document: string | object): Promise<Source> {
  if (typeof document === 'string') return readSource(document, 'document');
  return toSource(document, 'given as an object');
}

import type { LoadedDocument } from './http-document.ts';
import type { ReadOptions } from './read.ts';
import { readSource, toSource } from './source.ts';

/**
 * Loads an OpenAPI 3.0 or 3.1 or Swagger 2.0 document from a file, a URL, standard input (`-`) or an object. Throws a
 * SetupError with file, line and remedy.
 */
export async function loadDocument(
  document: string | object,
  options: ReadOptions = {},
): Promise<LoadedDocument> {
  const source =
    typeof document === 'string'
      ? await readSource(document, 'document')
      : toSource(document, 'given as an object');
  // Importing the conversion takes longer than serving the own document, which is already converted.
  const { readDocument } = await import('./read.ts');
  return { source, ...(await readDocument(source, options)) };
}

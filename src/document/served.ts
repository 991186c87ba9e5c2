import { createRequire } from 'node:module';
import { checkDocument } from './check-document.ts';
import { loadFiles } from './files.ts';
import { prepareDocument } from './prepare.ts';
import type { Source } from './source.ts';

const require = createRequire(import.meta.url);

/** A media type in which the document is served. */
export type DocumentMediaType = 'application/json' | 'application/yaml';

/** Writes a document as it is served: in one file, and without the parts that are left out. */
export async function writeServed(
  source: Source,
  mediaType: DocumentMediaType,
  allowRemoteRefs: boolean,
): Promise<string> {
  checkDocument(source);
  const { document } = prepareDocument(await loadFiles(source, allowRemoteRefs));
  if (mediaType === 'application/json') return `${JSON.stringify(document, null, 2)}\n`;
  const { dump } = require('js-yaml') as typeof import('js-yaml');
  return dump(document, { noRefs: true, lineWidth: 100 });
}

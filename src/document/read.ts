import { createSchemaReader } from '../schema/schema.ts';
import { checkDocument } from './check-document.ts';
import { convertDocument } from './convert.ts';
import { loadFiles } from './files.ts';
import type { Document } from './http-document.ts';
import { isMapping } from './mapping.ts';
import { prepareDocument } from './prepare.ts';
import { readSecurity } from './security.ts';
import type { Source } from './source.ts';

export interface ReadOptions {
  /** Whether references may lead to hosts other than the document's own. */
  readonly allowRemoteRefs?: boolean;
  /** Whether credentials are checked, so that the document must define its security schemes. Default: true. */
  readonly auth?: boolean;
}

/** Checks, sanitizes and converts a document with the files that it refers to. Throws a SetupError with file, line and remedy. */
export async function readDocument(source: Source, options: ReadOptions): Promise<Document> {
  const { info, basePath } = checkDocument(source);
  const files = await loadFiles(source, options.allowRemoteRefs ?? false);
  const { document, diagnostics, leftOut } = prepareDocument(files);
  const converted = convertDocument(document, source);
  const security = readSecurity(document, source);
  return {
    location: source.location,
    files: [
      ...[...files.byLocation.values()].filter(({ text }) => text !== undefined).map((file) => file.location),
      ...files.missing.keys(),
    ],
    title: String((isMapping(info) ? info.title : undefined) ?? 'Untitled'),
    basePath: typeof basePath === 'string' ? basePath : '/',
    security: security.requirements,
    root: converted.root,
    reader: createSchemaReader(converted.root),
    notes: [
      ...diagnostics,
      ...converted.diagnostics,
      ...(options.auth === false ? [] : security.diagnostics),
    ],
    leftOut,
    checkedFixtures: new Set(),
  };
}

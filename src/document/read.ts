import { checkDocument } from './check.ts';
import { convertDocument } from './convert.ts';
import { loadFiles } from './files.ts';
import type { Note } from './note.ts';
import { prepareDocument } from './prepare.ts';
import { type Requirements, readSecurity } from './security.ts';
import type { Source } from './source.ts';

export interface ReadOptions {
  /** Whether references may lead to other hosts than the document's own. */
  readonly allowRemoteRefs?: boolean;
  /** Whether credentials are checked, so that the document must define those that it asks for; true unless given. */
  readonly auth?: boolean;
}

/** What became of a document. */
export interface Reading {
  readonly files: readonly string[];
  readonly title: string;
  readonly basePath: string;
  readonly security: ReadonlyMap<string, Requirements>;
  /** In the form of `@stoplight/http-spec`. */
  readonly root: unknown;
  readonly notes: readonly Note[];
  readonly leftOut: ReadonlySet<string>;
}

/** Checks, mends and converts a document with the files that it refers to. Throws a SetupError with file, line and remedy. */
export async function readDocument(source: Source, options: ReadOptions): Promise<Reading> {
  const raw = checkDocument(source);
  const files = await loadFiles(source, options.allowRemoteRefs ?? false);
  const { document: prepared, notes, leftOut } = prepareDocument(files);
  const { root, notes: further } = convertDocument(prepared, source);
  const { requirements, notes: unknown } = readSecurity(prepared, source);
  return {
    files: [
      ...[...files.byLocation.values()].filter(({ text }) => text !== undefined).map((file) => file.location),
      ...files.missing.keys(),
    ],
    title: String(raw.info?.title ?? 'Untitled'),
    basePath: typeof raw.basePath === 'string' ? raw.basePath : '/',
    security: requirements,
    root,
    notes: [...notes, ...further, ...(options.auth === false ? [] : unknown)],
    leftOut,
  };
}

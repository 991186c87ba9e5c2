import { dirname, resolve } from 'node:path';
import { walkReferences } from './document-walk.ts';
import { resolveReference, toTokens } from './schema.ts';
import { isUrl, mistakeAt, readSource, type Source } from './source.ts';

/** The files of a document: the one that was named, and those that references lead to. */
export interface DocumentFiles {
  readonly main: Source;
  readonly byLocation: ReadonlyMap<string, Source>;
}

/** What a reference refers to: a file and a local reference in it. */
export interface ReferenceTarget {
  readonly location: string;
  /** `#/components/schemas/Pet`; `#` for the whole file. */
  readonly fragment: string;
}

/**
 * Reads every file that a document's references lead to, and checks that each reference leads somewhere. Throws a
 * SetupError with file, line and remedy. Over the network nothing is fetched but from the document's own origin, unless
 * `allowRemote`.
 */
export async function loadFiles(main: Source, allowRemote: boolean): Promise<DocumentFiles> {
  const byLocation = new Map([[main.location, main]]);
  // Sources that are found on the way join the end of the map, and their turn comes.
  for (const source of byLocation.values()) {
    const references: { readonly reference: string; readonly path: readonly (string | number)[] }[] = [];
    walkReferences(source.data, (reference, path) => references.push({ reference, path }));
    for (const { reference, path } of references) {
      const { location } = toTarget(source, reference, path);
      if (byLocation.has(location)) continue;
      if (isUrl(location) && !allowRemote && !hasSameOrigin(location, main.location)) {
        const remedy = 'Allow it with --allow-remote-refs, or download the file.';
        throw mistakeAt(source, path, `the reference "${reference}" leads to another host`, remedy);
      }
      byLocation.set(location, await readReferred(source, reference, path, location));
    }
  }
  const files = { main, byLocation };
  for (const source of byLocation.values()) {
    walkReferences(source.data, (reference, path) => checkReference(files, source, reference, path));
  }
  return files;
}

async function readReferred(
  source: Source,
  reference: string,
  path: readonly (string | number)[],
  location: string,
): Promise<Source> {
  try {
    return await readSource(location, 'file');
  } catch (cause) {
    const what = `the reference "${reference}" leads to what cannot be read: ${(cause as Error).message}`;
    throw mistakeAt(source, path, what.replace(/\.$/, ''), 'Correct the one or the other.');
  }
}

/** The target of a reference that stands in `source`. */
export function toTarget(
  source: Source,
  reference: string,
  path: readonly (string | number)[],
): ReferenceTarget {
  const mark = reference.indexOf('#');
  const file = mark < 0 ? reference : reference.slice(0, mark);
  const fragment = mark < 0 ? '#' : reference.slice(mark);
  if (file === '') return { location: source.location, fragment };
  if (isUrl(file)) return { location: new URL(file).href, fragment };
  if (source.text === undefined) {
    const remedy = 'Give the document as a file, or bundle it into one object.';
    throw mistakeAt(source, path, `the reference "${reference}" leads out of the document`, remedy);
  }
  const location = isUrl(source.location)
    ? new URL(file, source.location).href
    : resolve(source.location === '-' ? '.' : dirname(source.location), decodeURIComponent(file));
  return { location, fragment };
}

/** What stands at a target. */
export function readTarget({ byLocation }: DocumentFiles, { location, fragment }: ReferenceTarget): unknown {
  let node = byLocation.get(location)?.data;
  for (const token of toTokens(fragment)) node = (node as Record<string, unknown>)[token];
  return node;
}

function checkReference(
  files: DocumentFiles,
  source: Source,
  reference: string,
  path: readonly (string | number)[],
): void {
  const { location, fragment } = toTarget(source, reference, path);
  const data = files.byLocation.get(location)?.data;
  try {
    resolveReference(data, { $ref: fragment }, (nested) => nested.startsWith('#'));
  } catch (error) {
    const reason =
      error instanceof URIError ? `leads nowhere` : (error as Error).message.replace(/^.*" /, '');
    throw mistakeAt(
      source,
      path,
      `the reference "${reference}" ${reason}`,
      'Define what it names, or correct it.',
    );
  }
}

function hasSameOrigin(location: string, main: string): boolean {
  return isUrl(main) && new URL(location).origin === new URL(main).origin;
}

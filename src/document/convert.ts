import { bundleOas2Service } from '@stoplight/http-spec/oas2';
import { bundleOas3Service } from '@stoplight/http-spec/oas3';
import { SetupError } from '../problem.ts';
import { isSwagger } from './check.ts';
import { type Note, toNote } from './note.ts';
import type { Source } from './source.ts';

type Members = Readonly<Record<string, unknown>>;

/** What came of a conversion, and what was left out for it. */
export interface Converted {
  readonly root: unknown;
  readonly notes: readonly Note[];
}

/**
 * Converts a prepared document. An operation that the conversion fails over is left out. Throws a SetupError where it fails
 * over anything else.
 */
export function convertDocument(document: Members, source: Source): Converted {
  const bundle = isSwagger(document) ? bundleOas2Service : bundleOas3Service;
  const convert = (paths: Members) => bundle({ document: { ...document, paths } as never }) as unknown;
  const convertEntries = (entries: readonly Entry[]) => convert(Object.fromEntries(entries));
  const entries = Object.entries(document.paths as Readonly<Record<string, Members>>);
  try {
    return { root: convertEntries(entries), notes: [] };
  } catch (cause) {
    // What fails without any path fails with each of them.
    const failures = fails([], convertEntries)
      ? new Map<string, string>()
      : findFailures(entries, convertEntries);
    if (failures.size === 0 || failures.size === entries.length) throw toFailure(source, cause);
    return {
      root: convertEntries(entries.filter(([path]) => !failures.has(path))),
      notes: [...failures].map(([path, reason]) =>
        toNote('left out', path, { source, path: ['paths', path], reason, remedy: LINT }),
      ),
    };
  }
}

const LINT = 'Check the document with an OpenAPI linter.';

function toFailure({ location }: Source, cause: unknown): SetupError {
  const { message } = cause as Error;
  return new SetupError(`Failed to load the document ${location}: ${message}. ${LINT}`, { cause });
}

type Entry = readonly [path: string, item: Members];
type Convert = (entries: readonly Entry[]) => unknown;

/** The paths that cannot be converted and why, by halves: there are few of them among many. */
function findFailures(entries: readonly Entry[], convert: Convert): ReadonlyMap<string, string> {
  const [first] = entries;
  const failure = fails(entries, convert);
  if (!failure || !first) return new Map();
  if (entries.length === 1) return new Map([[first[0], failure.message]]);
  const middle = entries.length >> 1;
  return new Map([
    ...findFailures(entries.slice(0, middle), convert),
    ...findFailures(entries.slice(middle), convert),
  ]);
}

function fails(entries: readonly Entry[], convert: Convert): Error | undefined {
  try {
    convert(entries);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

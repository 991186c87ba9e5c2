import { dirname, resolve } from 'node:path';
import { toTokens } from '../schema/schema.ts';
import type { DiagnosticCode } from './diagnostic.ts';
import { isUrl } from './read-content.ts';
import { readSource, type Source } from './source.ts';
import { isSelfContained, walkReferences } from './walk-references.ts';

/** The main file of a document and the files that its references lead to. */
export interface DocumentFiles {
  readonly main: Source;
  readonly byLocation: ReadonlyMap<string, Source>;
  /** The files that cannot be loaded, by location. */
  readonly missing: ReadonlyMap<string, Missing>;
}

/** The reason why the target of a reference is missing. */
export interface Missing {
  readonly code: DiagnosticCode;
  /** Continues `the reference "..."`. */
  readonly reason: string;
  readonly remedy: string;
}

/** The target of a reference: a file and a place in it. */
export interface ReferenceTarget {
  readonly location: string;
  /** The keys that lead to the place; empty for the whole file. */
  readonly tokens: readonly string[];
}

/**
 * Reads every file that a document's references lead to. Fetches from the document's own origin only, unless `allowRemote`. Does
 * not throw: the operations that need a missing file are left out later.
 */
export async function loadFiles(main: Source, allowRemote: boolean): Promise<DocumentFiles> {
  const byLocation = new Map([[main.location, main]]);
  const missing = new Map<string, Missing>();
  // The loop also visits the sources that it appends to the map.
  for (const source of byLocation.values()) {
    for (const location of findLocations(source)) {
      if (byLocation.has(location) || missing.has(location)) continue;
      if (isUrl(location) && !allowRemote && !hasSameOrigin(location, main.location)) {
        missing.set(location, ANOTHER_HOST);
        continue;
      }
      try {
        byLocation.set(location, await readSource(location, 'file'));
      } catch (cause) {
        const reason = `cannot be followed: ${(cause as Error).message}`.replace(/\.$/, '');
        missing.set(location, {
          code: 'reference-unreadable',
          reason,
          remedy: 'Correct the file or the reference.',
        });
      }
    }
  }
  return { main, byLocation, missing };
}

/** The files that the references of a file lead to. */
function findLocations(source: Source): Set<string> {
  const locations = new Set<string>();
  if (isSelfContained(source)) return locations;
  walkReferences(source, (reference) => {
    const target = toReferenceTarget(source, reference);
    if ('location' in target) locations.add(target.location);
  });
  return locations;
}

/** Resolves a reference in `source` to its target, which may not exist. */
export function toReferenceTarget(source: Source, reference: string): ReferenceTarget | Missing {
  const mark = reference.indexOf('#');
  const file = mark < 0 ? reference : reference.slice(0, mark);
  const fragment = mark < 0 ? '#' : reference.slice(mark);
  if (fragment !== '#' && !fragment.startsWith('#/')) return NOWHERE;
  try {
    const tokens = toTokens(fragment);
    if (file === '') return { location: source.location, tokens };
    if (isUrl(file)) return { location: new URL(file).href, tokens };
    if (source.text === undefined) return OUT_OF_OBJECT;
    const location = isUrl(source.location)
      ? new URL(file, source.location).href
      : resolve(source.location === '-' ? '.' : dirname(source.location), decodeURIComponent(file));
    return { location, tokens };
  } catch {
    return NOWHERE;
  }
}

/** Reads the node at a target; `undefined` if there is none. */
export function readTarget({ byLocation }: DocumentFiles, { location, tokens }: ReferenceTarget): unknown {
  let node = byLocation.get(location)?.data;
  for (const token of tokens) {
    const holds = typeof node === 'object' && node !== null && Object.hasOwn(node, token);
    node = holds ? (node as Record<string, unknown>)[token] : undefined;
  }
  return node;
}

/** The reason for a reference without a target. */
export const NOWHERE: Missing = {
  code: 'reference-dangling',
  reason: 'leads nowhere',
  remedy: 'Define its target, or correct it.',
};

const ANOTHER_HOST: Missing = {
  code: 'reference-remote',
  reason: 'leads to another host',
  remedy: 'Allow it with --allow-remote-refs, or download the file.',
};

const OUT_OF_OBJECT: Missing = {
  code: 'reference-unresolvable',
  reason: 'leads out of the document',
  remedy: 'Give the document as a file, or bundle it into one object.',
};

function hasSameOrigin(location: string, main: string): boolean {
  return isUrl(main) && new URL(location).origin === new URL(main).origin;
}

import { dirname, resolve } from 'node:path';
import { toTokens } from '../schema/schema.ts';
import { isUrl, readSource, type Source } from './source.ts';
import { walkReferences } from './walk.ts';

/** The files of a document: the one that was named, and those that references lead to. */
export interface DocumentFiles {
  readonly main: Source;
  readonly byLocation: ReadonlyMap<string, Source>;
  /** Those that references lead to in vain: the location, and why. */
  readonly missing: ReadonlyMap<string, Missing>;
}

/** Why what a reference leads to is not there. */
export interface Missing {
  /** Follows on `the reference "..." `. */
  readonly reason: string;
  readonly remedy: string;
}

/** What a reference refers to: a file and a place in it. */
export interface ReferenceTarget {
  readonly location: string;
  /** The keys of the way to the place; none for the whole file. */
  readonly tokens: readonly string[];
}

/**
 * Reads every file that a document's references lead to. Over the network nothing is fetched but from the document's own
 * origin, unless `allowRemote`. Does not throw: what uses a file that cannot be had is left out later.
 */
export async function loadFiles(main: Source, allowRemote: boolean): Promise<DocumentFiles> {
  const byLocation = new Map([[main.location, main]]);
  const missing = new Map<string, Missing>();
  // Sources that are found on the way join the end of the map, and their turn comes.
  for (const source of byLocation.values()) {
    const locations = new Set<string>();
    walkReferences(source, (reference) => {
      const target = toTarget(source, reference);
      if ('location' in target) locations.add(target.location);
    });
    for (const location of locations) {
      if (byLocation.has(location) || missing.has(location)) continue;
      if (isUrl(location) && !allowRemote && !hasSameOrigin(location, main.location)) {
        missing.set(location, ANOTHER_HOST);
        continue;
      }
      try {
        byLocation.set(location, await readSource(location, 'file'));
      } catch (cause) {
        const reason = `leads to what cannot be read: ${(cause as Error).message}`.replace(/\.$/, '');
        missing.set(location, { reason, remedy: 'Correct the one or the other.' });
      }
    }
  }
  return { main, byLocation, missing };
}

/** The target of a reference that stands in `source`. */
export function toTarget(source: Source, reference: string): ReferenceTarget | Missing {
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

/** What stands at a target; `undefined` if there is nothing. */
export function readTarget({ byLocation }: DocumentFiles, { location, tokens }: ReferenceTarget): unknown {
  let node = byLocation.get(location)?.data;
  for (const token of tokens) {
    const holds = typeof node === 'object' && node !== null && Object.hasOwn(node, token);
    node = holds ? (node as Record<string, unknown>)[token] : undefined;
  }
  return node;
}

/** Why there is nothing at the target of a reference. */
export const NOWHERE: Missing = { reason: 'leads nowhere', remedy: 'Define what it names, or correct it.' };

const ANOTHER_HOST: Missing = {
  reason: 'leads to another host',
  remedy: 'Allow it with --allow-remote-refs, or download the file.',
};

const OUT_OF_OBJECT: Missing = {
  reason: 'leads out of the document',
  remedy: 'Give the document as a file, or bundle it into one object.',
};

function hasSameOrigin(location: string, main: string): boolean {
  return isUrl(main) && new URL(location).origin === new URL(main).origin;
}

/** An operation of the API that will end, as its answers announce it. */
export interface Deprecation {
  /** What is deprecated, such as `/pets/1`. */
  readonly path: string;
  readonly since: Date;
  readonly sunset?: Date;
  readonly successor?: URL;
  /** The path of the successor, such as `/pets/1/profile`. */
  readonly successorPath?: string;
}

let known: readonly Deprecation[] = [];
const listeners = new Set<() => void>();

/** Reads `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and the link to the successor (RFC 5829). */
export function readDeprecation({ headers, url }: Response, base: string): Deprecation | undefined {
  const since = headers.get('Deprecation')?.match(/^@(\d+)$/)?.[1];
  if (since === undefined) return undefined;
  const sunset = headers.get('Sunset');
  const successor = findSuccessor(headers.get('Link') ?? '', url);
  return {
    path: toPath(new URL(url), base),
    since: new Date(Number(since) * 1000),
    ...(sunset && { sunset: new Date(sunset) }),
    ...(successor && { successor, successorPath: toPath(successor, base) }),
  };
}

/** Adds a deprecation to those that the page shows, once for each kind of path. */
export function announce(deprecation: Deprecation): void {
  const kind = toKind(deprecation);
  known = [...known.filter((other) => toKind(other) !== kind), deprecation];
  for (const listener of listeners) listener();
}

/** The deprecations so far, for `useSyncExternalStore`. */
export const deprecations = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: (): readonly Deprecation[] => known,
};

function findSuccessor(links: string, url: string): URL | undefined {
  const link = links.split(/,(?=\s*<)/).find((each) => /;\s*rel="?successor-version"?/.test(each));
  const target = link?.match(/<([^>]*)>/)?.[1];
  return target === undefined ? undefined : new URL(target, url);
}

function toPath({ pathname }: URL, base: string): string {
  const prefix = new URL(base, location.href).pathname.replace(/\/$/, '');
  return pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname;
}

function toKind({ path }: Deprecation): string {
  return path.replace(/\d+/g, '{id}');
}

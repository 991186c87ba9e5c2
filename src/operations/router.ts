import { addRoute, createRouter, findRoute } from 'rou3';

/** What a route leads to. */
export interface Target {
  /** Upper case. */
  readonly method: string;
  /** A path template such as `/pets/{petId}`. */
  readonly path: string;
  /** Beginnings such as `/v1`, under which the path is served too. */
  readonly bases: readonly string[];
}

/** All that one path pattern serves. */
export interface Route<T> {
  /** The value of `Allow`: the methods, HEAD where there is GET, and OPTIONS. */
  readonly allow: string;
  /** By method: the target, the base under which it is served here, and its names for the parameters. */
  readonly methods: ReadonlyMap<string, RouteEntry<T>>;
}

export interface RouteEntry<T> {
  readonly target: T;
  /** Empty for the path itself. */
  readonly base: string;
  readonly names: readonly string[];
}

/** The route of a path, literal segments before parameters, and the raw values of its parameters in order. */
export type FindRoute<T> = (path: string) => Found<T> | undefined;

interface Found<T> {
  readonly route: Route<T>;
  readonly values: readonly string[];
}

/**
 * Routes paths to targets. The router beneath ignores a slash at the end of a path, but OpenAPI does not: `/pets` and
 * `/pets/` are two paths. So there are two of it, and a path is looked up in the one for paths that end like it.
 */
export function buildRouter<T extends Target>(targets: readonly T[]): FindRoute<T> {
  const byPattern = groupByPattern(targets.map((target) => ({ target, base: '' })));
  const based = targets.flatMap((target) => target.bases.map((base) => ({ target, base })));
  // What the document says of a path itself comes before what a base makes of another one.
  for (const [pattern, members] of groupByPattern(based)) {
    if (!byPattern.has(pattern)) byPattern.set(pattern, members);
  }
  const open = createRouter<Route<T>>();
  const closed = createRouter<Route<T>>();
  const literal = new Map<string, Found<T>>();
  for (const [pattern, members] of byPattern) {
    const route = buildRoute(members);
    const isLiteral = /^[\w/-]+$/.test(pattern);
    if (isLiteral) literal.set(pattern, { route, values: [] });
    // The router beneath also takes a literal path by other spellings where a segment is empty, and by none but its own elsewhere.
    if (!isLiteral || pattern.includes('//'))
      addRoute(endsWithSlash(pattern) ? closed : open, '', pattern, route);
  }
  return (path) => {
    const known = literal.get(path);
    if (known) return known;
    const found = findRoute(endsWithSlash(path) ? closed : open, '', path);
    return found && { route: found.data, values: Object.values(found.params ?? {}) };
  };
}

export function endsWithSlash(path: string): boolean {
  return path.length > 1 && path.endsWith('/');
}

interface Mount<T> {
  readonly target: T;
  readonly base: string;
}

function groupByPattern<T extends Target>(mounts: readonly Mount<T>[]): Map<string, Mount<T>[]> {
  const byPattern = new Map<string, Mount<T>[]>();
  for (const mount of mounts) {
    const pattern = toPattern(mount.base + mount.target.path);
    byPattern.set(pattern, [...(byPattern.get(pattern) ?? []), mount]);
  }
  return byPattern;
}

function buildRoute<T extends Target>(mounts: readonly Mount<T>[]): Route<T> {
  const methods = new Set(mounts.map(({ target }) => target.method));
  if (methods.has('GET')) methods.add('HEAD');
  methods.add('OPTIONS');
  return {
    allow: [...methods].sort().join(', '),
    methods: new Map(
      mounts.map(({ target, base }) => [target.method, { target, base, names: templateNames(target.path) }]),
    ),
  };
}

const TEMPLATE_PARAMETER = /\{([^{}]+)\}/;

/** The names of the parameters in a path template. */
export function templateNames(path: string): string[] {
  return path.split(TEMPLATE_PARAMETER).filter((_, index) => index % 2 === 1);
}

/** Parameters are renamed to `p0`, `p1`, ... because the router allows fewer names than OpenAPI does. */
function toPattern(path: string): string {
  return path
    .split(TEMPLATE_PARAMETER)
    .map((part, index) => (index % 2 === 1 ? `:p${(index - 1) / 2}` : part.replace(/[\\:*?+(){}]/g, '\\$&')))
    .join('');
}

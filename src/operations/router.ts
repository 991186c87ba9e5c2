import { addRoute, createRouter, findRoute } from 'rou3';

/** The target of a route. */
export interface Target {
  /** Upper case. */
  readonly method: string;
  /** A path template such as `/pets/{petId}`. */
  readonly path: string;
  /** Prefixes such as `/v1`, under which the path is also served. */
  readonly bases: readonly string[];
}

/** The methods of one path pattern. */
export interface Route<T> {
  /** The value of `Allow`: the methods, HEAD if there is GET, and OPTIONS. */
  readonly allow: string;
  /** The target, its base here and its names for the parameters, by method. */
  readonly methods: ReadonlyMap<string, RouteEntry<T>>;
}

interface RouteEntry<T> {
  readonly target: T;
  /** Empty for the path itself. */
  readonly base: string;
  readonly names: readonly string[];
}

/** Finds the route of a path and the raw values of its parameters. Literal segments win over parameters. */
export type FindRoute<T> = (path: string) => FoundRoute<T> | undefined;

interface FoundRoute<T> {
  readonly route: Route<T>;
  readonly values: readonly string[];
}

/**
 * Routes paths to targets. rou3 ignores a slash at the end of a path, but in OpenAPI `/pets` and `/pets/` are two paths, so each
 * kind has a router of its own.
 */
export function buildRouter<T extends Target>(targets: readonly T[]): FindRoute<T> {
  // Requests and templates may escape the same path in different ways.
  const isEscaped = targets.some(({ path }) => mayBeEscaped(path));
  const byPattern = groupByPattern(
    targets.map((target) => ({ target, base: '' })),
    isEscaped,
  );
  const based = targets.flatMap((target) => target.bases.map((base) => ({ target, base })));
  // A path of the document wins over a base with another path.
  for (const [pattern, members] of groupByPattern(based, isEscaped)) {
    if (!byPattern.has(pattern)) byPattern.set(pattern, members);
  }
  const open = createRouter<Route<T>>();
  const closed = createRouter<Route<T>>();
  const literal = new Map<string, FoundRoute<T>>();
  for (const [pattern, members] of byPattern) {
    const route = buildRoute(members);
    const isLiteral = /^[\w/-]+$/.test(pattern);
    if (isLiteral) literal.set(pattern, { route, values: [] });
    // Literal paths need no router, except that rou3 also matches other spellings of empty segments.
    if (!isLiteral || pattern.includes('//'))
      addRoute(endsWithSlash(pattern) ? closed : open, '', pattern, route);
  }
  return (requested) => {
    const known = literal.get(requested);
    if (known) return known;
    const path = isEscaped ? escapeAlike(requested) : requested;
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

function groupByPattern<T extends Target>(
  mounts: readonly Mount<T>[],
  isEscaped: boolean,
): Map<string, Mount<T>[]> {
  const byPattern = new Map<string, Mount<T>[]>();
  for (const mount of mounts) {
    const pattern = toRouterPattern(mount.base + mount.target.path, isEscaped);
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

/** Lists the names of the parameters in a path template. */
export function templateNames(path: string): string[] {
  return path.split(TEMPLATE_PARAMETER).filter((_, index) => index % 2 === 1);
}

/** Whether the literal text of a template has characters that a URL must or may escape. */
function mayBeEscaped(template: string): boolean {
  return template.split(TEMPLATE_PARAMETER).some((part, index) => index % 2 === 0 && ESCAPABLE.test(part));
}

const ESCAPABLE = /[^\w/.~:@!$&'()*+,;=-]/;

/** Escapes every segment of a path in the same way, however it is escaped now. Leaves a malformed one as it is. */
function escapeAlike(path: string): string {
  return path
    .split('/')
    .map((segment) => {
      try {
        return encodeURIComponent(decodeURIComponent(segment));
      } catch {
        return segment;
      }
    })
    .join('/');
}

/** Renames parameters to `p0`, `p1`, ..., because rou3 allows fewer names than OpenAPI. */
function toRouterPattern(path: string, isEscaped: boolean): string {
  return path
    .split(TEMPLATE_PARAMETER)
    .map((part, index) => {
      if (index % 2 === 1) return `:p${(index - 1) / 2}`;
      return (isEscaped ? escapeAlike(part) : part).replace(/[\\:*?+(){}]/g, '\\$&');
    })
    .join('');
}

import { addRoute, createRouter, findRoute } from 'rou3';
import { toNormalPath } from './normal-path.ts';

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
  /** The texts before, between and after the parameters. */
  readonly texts: readonly string[];
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
  const byPattern = groupByPattern(targets.map((target) => ({ target, base: '' })));
  const based = targets.flatMap((target) => target.bases.map((base) => ({ target, base })));
  // A path of the document wins over a base with another path.
  for (const [pattern, members] of groupByPattern(based)) {
    if (!byPattern.has(pattern)) byPattern.set(pattern, members);
  }
  const open = createRouter<Route<T>>();
  const closed = createRouter<Route<T>>();
  const literal = new Map<string, FoundRoute<T>>();
  for (const [pattern, members] of byPattern) {
    const route = new LazyRoute(members);
    const isLiteral = /^[\w/-]+$/.test(pattern);
    if (isLiteral) literal.set(pattern, { route, values: [] });
    // Literal paths need no router, except that rou3 also matches other spellings of empty segments.
    if (!isLiteral || pattern.includes('//'))
      addRoute(endsWithSlash(pattern) ? closed : open, '', pattern, route);
  }
  const deepest = [...byPattern.keys()].reduce(
    (most, pattern) => Math.max(most, pattern.split('/').length),
    0,
  );
  return (requested) => {
    const known = literal.get(requested);
    if (known) return known;
    // rou3 splits all of a path, and a client chooses how long it is.
    if (hasMoreSlashes(requested, deepest)) return undefined;
    // Requests and templates may escape the same path in different ways.
    const path = toNormalPath(requested);
    const respelled = path === requested ? undefined : literal.get(path);
    if (respelled) return respelled;
    const found = findRoute(endsWithSlash(path) ? closed : open, '', path);
    if (!found) return undefined;
    const values = Object.values(found.params ?? {});
    return {
      route: found.data,
      values: path === requested ? values : readAgain(requested, found.data, values),
    };
  };
}

function hasMoreSlashes(path: string, most: number): boolean {
  let count = 0;
  for (let at = path.indexOf('/'); at >= 0 && count <= most; at = path.indexOf('/', at + 1)) count++;
  return count > most;
}

/** Takes the place of a "%" that begins no escape. It has the length of `PERCENT`, and no request can send it. */
const MARK = '%\0\0';

/** Returns the values of a request with each "%" that begins no escape as it was sent: a template may have one, but in a value it is malformed. */
function readAgain<T>(requested: string, { texts }: Route<T>, values: readonly string[]): string[] {
  const marked = toNormalPath(requested, MARK);
  let at = 0;
  return values.map((value, index) => {
    const start = at + (texts[index]?.length ?? 0);
    at = start + value.length;
    return marked.slice(start, at).replaceAll(MARK, '%');
  });
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
    const pattern = toRouterPattern(toParts(mount));
    const alike = byPattern.get(pattern);
    if (alike) alike.push(mount);
    else byPattern.set(pattern, [mount]);
  }
  return byPattern;
}

/** A route whose parts are built when they are first read. Most routes of a big document are never asked for. */
class LazyRoute<T extends Target> implements Route<T> {
  readonly #mounts: readonly Mount<T>[];
  #allow: string | undefined;
  #methods: Route<T>['methods'] | undefined;
  #texts: readonly string[] | undefined;

  constructor(mounts: readonly Mount<T>[]) {
    this.#mounts = mounts;
  }

  get allow(): string {
    this.#allow ??= toAllow(this.#mounts);
    return this.#allow;
  }

  get methods(): Route<T>['methods'] {
    this.#methods ??= new Map(
      this.#mounts.map(({ target, base }) => [
        target.method,
        { target, base, names: templateNames(target.path) },
      ]),
    );
    return this.#methods;
  }

  get texts(): readonly string[] {
    const [first] = this.#mounts;
    this.#texts ??= first ? toParts(first).filter((_, index) => index % 2 === 0) : [];
    return this.#texts;
  }
}

function toAllow<T extends Target>(mounts: readonly Mount<T>[]): string {
  const methods = new Set(mounts.map(({ target }) => target.method));
  if (methods.has('GET')) methods.add('HEAD');
  methods.add('OPTIONS');
  return [...methods].sort().join(', ');
}

const TEMPLATE_PARAMETER = /\{([^{}]+)\}/;

/** Lists the names of the parameters in a path template. */
export function templateNames(path: string): string[] {
  return path.split(TEMPLATE_PARAMETER).filter((_, index) => index % 2 === 1);
}

/** The texts of a template at even places, the names of its parameters at odd ones. */
function toParts<T extends Target>({ target, base }: Mount<T>): string[] {
  const path = base + target.path;
  if (!path.includes('{')) return [toNormalPath(path)];
  const parts = path.split(TEMPLATE_PARAMETER);
  return parts.map((part, index) => (index % 2 === 1 ? part : toNormalPath(part)));
}

/** Renames parameters to `p0`, `p1`, ..., because rou3 allows fewer names than OpenAPI. */
function toRouterPattern(parts: readonly string[]): string {
  return parts
    .map((part, index) => (index % 2 === 1 ? `:p${(index - 1) / 2}` : part.replace(/[\\:*?+(){}]/g, '\\$&')))
    .join('');
}

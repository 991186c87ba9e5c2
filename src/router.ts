import { addRoute, createRouter, findRoute } from 'rou3';

/** What a route leads to. */
export interface Target {
  /** Upper case. */
  readonly method: string;
  /** A path template such as `/pets/{petId}`. */
  readonly path: string;
}

/** All that one path pattern serves. */
export interface Route<T> {
  /** The value of `Allow`: the methods, HEAD where there is GET, and OPTIONS. */
  readonly allow: string;
  /** By method: the target, and the names that its template gives to the parameters. */
  readonly methods: ReadonlyMap<string, { readonly target: T; readonly names: readonly string[] }>;
}

/** The route of a path, literal segments before parameters, and the raw values of its parameters in order. */
export type FindRoute<T> = (
  path: string,
) => { readonly route: Route<T>; readonly values: readonly string[] } | undefined;

/**
 * Routes paths to targets. The router beneath ignores a slash at the end of a path, but OpenAPI does not: `/pets` and
 * `/pets/` are two paths. So there are two of it, and a path is looked up in the one for paths that end like it.
 */
export function buildRouter<T extends Target>(targets: readonly T[]): FindRoute<T> {
  const byPattern = new Map<string, T[]>();
  for (const target of targets) {
    const pattern = toPattern(target.path);
    byPattern.set(pattern, [...(byPattern.get(pattern) ?? []), target]);
  }
  const open = createRouter<Route<T>>();
  const closed = createRouter<Route<T>>();
  for (const [pattern, members] of byPattern) {
    addRoute(endsWithSlash(pattern) ? closed : open, '', pattern, buildRoute(members));
  }
  return (path) => {
    const found = findRoute(endsWithSlash(path) ? closed : open, '', path);
    return found && { route: found.data, values: Object.values(found.params ?? {}) };
  };
}

export function endsWithSlash(path: string): boolean {
  return path.length > 1 && path.endsWith('/');
}

function buildRoute<T extends Target>(targets: readonly T[]): Route<T> {
  const methods = new Set(targets.map(({ method }) => method));
  if (methods.has('GET')) methods.add('HEAD');
  methods.add('OPTIONS');
  return {
    allow: [...methods].sort().join(', '),
    methods: new Map(targets.map((target) => [target.method, { target, names: templateNames(target.path) }])),
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

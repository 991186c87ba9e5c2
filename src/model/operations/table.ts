import { findNearest } from '../../base/find-nearest.ts';
import { Problem } from '../../base/problem.ts';
import type { Document } from '../../document/document.ts';
import { buildOperation, createBasesReader, type Operation } from './operation.ts';
import { buildRouter, endsWithSlash, type FindRoute, type Route } from './router.ts';
import { createPathSuggester, type SuggestPath } from './suggest.ts';

export interface Match {
  readonly operation: Operation;
  /** The base of the path, or an empty string. */
  readonly base: string;
  /** Path parameters by name: decoded, not yet typed. */
  readonly parameters: Readonly<Record<string, string>>;
  /** A path segment that cannot be decoded; its parameter has the raw value. */
  readonly malformed: string | undefined;
}

/** The operations of a document. */
export interface OperationTable {
  readonly operations: readonly Operation[];
  /** Finds an operation by operationId, or by a label such as `GET /pets`. */
  find(idOrLabel: string): Operation | undefined;
  /** ` Did you mean getPet?` for a mistyped operationId or label; empty where none is close. */
  hint(idOrLabel: string): string;
  /** Suggests the path that a mistyped one stands for. */
  readonly suggest: SuggestPath;
  /** Matches a request to its operation, HEAD to GET. Throws a Problem: 404, 405 with `Allow`, or 501. */
  match(method: string, path: string): Match;
  /** Returns the value of `Allow` for a path. Throws a Problem for an unknown path. */
  allow(path: string): string;
  /** Finds the operation like `match`, but returns `undefined` instead of throwing. */
  probe(method: string, path: string): Operation | undefined;
}

export function buildOperationTable(document: Document): OperationTable {
  const basesOf = createBasesReader(document);
  const operations = document.root.operations.map((source) => buildOperation(document, source, basesOf));
  const byName = new Map(operations.map((operation) => [operation.label, operation]));
  for (const operation of operations) byName.set(operation.id, operation);
  const routes = buildRouter(operations);
  const suggest = createPathSuggester(() => operations.map(({ path }) => path));

  const routeOf = (path: string) => {
    const found = routes(path);
    if (!found) throw unknownPath(path, routes, suggest);
    return found;
  };
  return {
    operations,
    suggest,
    find: (idOrLabel) => byName.get(idOrLabel),
    hint: (idOrLabel) => toHint(findNearest(idOrLabel, [...byName.keys()])),
    match(method, path) {
      const { route, values } = routeOf(path);
      const entry = selectMethod(route, method);
      if (!entry) throw refuseMethod(method, path, route.allow);
      const { target: operation, base, names } = entry;
      const { parameters, malformed } = bindParameters(names, values);
      return { operation, base, parameters, malformed };
    },
    probe(method, path) {
      const found = routes(path);
      return found && selectMethod(found.route, method)?.target;
    },
    allow: (path) => routeOf(path).route.allow,
  };
}

/** Selects the target of a method. GET also answers HEAD, unless the document declares it. */
function selectMethod({ methods }: Route<Operation>, method: string) {
  return methods.get(method) ?? (method === 'HEAD' ? methods.get('GET') : undefined);
}

type PathValues = Pick<Match, 'parameters' | 'malformed'>;

const NOTHING_BOUND: PathValues = { parameters: Object.freeze(Object.create(null)), malformed: undefined };

function bindParameters(names: readonly string[], values: readonly string[]): PathValues {
  if (names.length === 0) return NOTHING_BOUND;
  const parameters: Record<string, string> = Object.create(null);
  let malformed: string | undefined;
  for (const [index, name] of names.entries()) {
    const value = values[index] ?? '';
    const decoded = value.includes('%') ? decode(value) : value;
    if (decoded === undefined) malformed = value;
    parameters[name] = decoded ?? value;
  }
  return { parameters, malformed };
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

const KNOWN_METHODS = new Set('GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT QUERY'.split(' '));

function refuseMethod(method: string, path: string, allow: string): Problem {
  if (!KNOWN_METHODS.has(method)) {
    return new Problem(501, 'method_not_implemented', `No path of this server knows the method ${method}.`);
  }
  return new Problem(405, 'method_not_allowed', `${method} is not allowed on ${path}. Allowed: ${allow}.`, {
    headers: { Allow: allow },
  });
}

function unknownPath(path: string, routes: FindRoute<Operation>, suggest: SuggestPath): Problem {
  const other = endsWithSlash(path) ? path.slice(0, -1) : `${path}/`;
  const meant = routes(other) ? other : suggest(path);
  const hint = toHint(meant) || ' "petstore-mock routes" lists all paths.';
  return new Problem(404, 'path_not_found', `The document has no path ${path}.${hint}`);
}

function toHint(meant: string | undefined): string {
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}

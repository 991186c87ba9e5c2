import { findNearest } from '../../base/find-nearest.ts';
import type { Violation } from '../../base/problem.ts';
import type { Operation, Parameter } from '../../model/operations/operations.ts';
import { findUnknownMembers } from '../../schema/schema.ts';
import type { ReadBody } from './body.ts';

/** The input of a request that its operation does not declare, so it was probably sent by mistake. */
export interface UnknownInput {
  readonly parameters: readonly Violation[];
  readonly body: readonly Violation[];
}

/** The input of a request. */
interface Sent {
  readonly query: URLSearchParams | undefined;
  readonly body: ReadBody | undefined;
}

export type FindUnknown = (operation: Operation, sent: Sent) => UnknownInput;

/** The most names of one query that are compared with the declared ones, and the most that are reported. */
const MOST_COMPARED = 20;
const MOST_REPORTED = 5;
/** Longer names are not compared. */
const LONGEST_NAME = 40;
const NOTHING: readonly Violation[] = [];

/**
 * Finds the query parameters that resemble a declared one, and the members of a body that its schema does not name. `keys` names the
 * query parameters that hold credentials.
 */
export function buildFindUnknown(keys: Iterable<string>): FindUnknown {
  const credentials = new Set(keys);
  const known = new WeakMap<Operation, DeclaredNames>();
  const namesOf = (operation: Operation): DeclaredNames => {
    const names = known.get(operation) ?? toDeclaredNames(operation.parameters);
    known.set(operation, names);
    return names;
  };
  return (operation, { query, body }) => ({
    parameters: query ? findUnknownParameters(query, namesOf(operation), credentials) : NOTHING,
    body: body?.schema ? findUnknownMembers(body.schema, body.value) : NOTHING,
  });
}

/** The query parameters that an operation declares. */
interface DeclaredNames {
  /** The parameters themselves, and the members of those that are objects. */
  readonly names: ReadonlySet<string>;
  /** Those that may be followed by brackets. */
  readonly bracketed: ReadonlySet<string>;
  /** Whether one of them takes any name. */
  readonly open: boolean;
}

function toDeclaredNames(parameters: readonly Parameter[]): DeclaredNames {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const spread = inQuery.filter(({ members }) => members === 'own').map(({ schema }) => schema.allProperties);
  const bracketed = inQuery.filter(
    ({ members, schema }) => members === 'bracketed' || schema.types.includes('array'),
  );
  return {
    names: new Set([...inQuery.map(({ name }) => name), ...spread.flatMap((members) => [...members.keys()])]),
    bracketed: new Set(bracketed.map(({ name }) => name.replace(/\[\]$/, ''))),
    open: spread.some(({ size }) => size === 0),
  };
}

function findUnknownParameters(
  query: URLSearchParams,
  { names, bracketed, open }: DeclaredNames,
  credentials: ReadonlySet<string>,
): readonly Violation[] {
  if (open || names.size === 0) return NOTHING;
  let unknown: Set<string> | undefined;
  for (const name of query.keys()) {
    if (names.has(name) || name.length > LONGEST_NAME || name.startsWith('__')) continue;
    if (credentials.has(name) || bracketed.has(toBase(name))) continue;
    unknown ??= new Set();
    if (unknown.add(name).size === MOST_COMPARED) break;
  }
  if (!unknown) return NOTHING;
  const declared = [...names];
  return [...unknown]
    .flatMap((name): Violation[] => {
      const base = toBase(name);
      const nearest = names.has(base) ? base : findNearest(base, declared);
      if (nearest === undefined) return [];
      return [
        {
          location: `query.${name}`,
          message: `is not declared; did you mean ${nearest}?`,
          code: 'parameter-unknown',
        },
      ];
    })
    .slice(0, MOST_REPORTED);
}

/** `tags[0]` → `tags` */
function toBase(name: string): string {
  const mark = name.indexOf('[');
  return mark > 0 ? name.slice(0, mark) : name;
}

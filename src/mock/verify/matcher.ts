import { findNearest } from '../../base/find-nearest.ts';
import { Problem } from '../../base/problem.ts';
import type { JournalEntry } from '../../core/journal/journal.ts';
import { type Service, type Session, toOperationId } from '../../core/service/service.ts';
import { compare, type Difference, toShown } from './compare.ts';
import { readPathParameters, readQuery, readRecordedBody } from './read-request.ts';
import type { RequestPattern } from './request-pattern.ts';

/** Compares recorded requests with one pattern. */
export interface Matcher {
  /** The pattern in words: `placeOrder with body {"petId":3}`. */
  readonly label: string;
  /** The values of a request that differ; none if it matches. */
  differ(entry: JournalEntry): readonly Difference[];
}

/** More would not help anyone. */
const MOST_DIFFERENCES = 20;

/** The parts of a pattern. */
const PARTS = ['operation', 'method', 'path', 'query', 'headers', 'body', 'status'] as const;

/** Builds the matcher of a pattern. Throws a 422 Problem for an unknown operation, or a status that cannot be. */
export function buildMatcher(pattern: RequestPattern, session: Session): Matcher {
  const { operation, path, status } = pattern;
  const id = operation === undefined ? undefined : toOperationId(session.service, operation);
  const sameOperation =
    typeof path === 'string' && path.includes('{') ? findTemplate(session.service, path) : undefined;
  checkStatus(status);
  function* compareAll(entry: JournalEntry): Generator<Difference, undefined> {
    const { method, request } = entry;
    yield* compare(id, entry.operation, ['operation']);
    yield* compare(pattern.method?.toUpperCase(), method, ['method']);
    if (typeof path === 'object')
      yield* compare(path, readPathParameters(session.service.table, entry), ['path'], true);
    else if (!sameOperation?.has(entry.operation ?? '')) yield* compare(path, entry.path, ['path']);
    if (pattern.query) yield* compare(pattern.query, readQuery(entry), ['query'], true);
    if (pattern.headers) yield* compare(withLowerCase(pattern.headers), request.headers, ['headers'], true);
    if (pattern.body !== undefined) yield* compareBody(pattern.body, entry);
    if (!isStatus(status, entry.status)) yield { path: '/status', expected: status, actual: entry.status };
    yield* compare(pattern.breaches, entry.breaches.length > 0, ['breaches']);
  }
  return {
    label: toLabel(pattern),
    differ(entry) {
      const differences: Difference[] = [];
      for (const difference of compareAll(entry)) {
        if (differences.push(difference) === MOST_DIFFERENCES) break;
      }
      return differences;
    },
  };
}

function compareBody(expected: unknown, entry: JournalEntry): Generator<Difference, undefined> {
  const type = entry.request.headers['content-type'] ?? '';
  return compare(expected, readRecordedBody(entry), ['body'], /form/i.test(type));
}

/** The ids of the operations with a path template. */
function findTemplate({ table }: Service, template: string): ReadonlySet<string> {
  const found = table.operations.filter(({ path }) => path === template);
  if (found.length > 0) return new Set(found.map(({ id }) => id));
  const templates = [...new Set(table.operations.map(({ path }) => path))];
  const isShort = template.length <= 256;
  const meant = isShort ? (table.suggest(template) ?? findNearest(template, templates)) : undefined;
  const hint = meant === undefined ? ' "petstore-mock routes" lists all paths.' : ` Did you mean ${meant}?`;
  throw invalidPattern(`The document has no path ${template.slice(0, 100)}.${hint}`);
}

function checkStatus(status: RequestPattern['status']): void {
  if (status === undefined || /^[1-5](\d\d|xx)$/i.test(String(status))) return;
  throw invalidPattern(`The status ${toShown(status)} is neither a status nor a kind such as "4xx".`);
}

function isStatus(wanted: RequestPattern['status'], status: number): boolean {
  return wanted === undefined || String(status).startsWith(String(wanted).replace(/x+$/i, ''));
}

function withLowerCase(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function toLabel(pattern: RequestPattern): string {
  const { operation, method, path, breaches, ...others } = pattern;
  const target = [method?.toUpperCase(), typeof path === 'string' ? path : undefined];
  const name = operation ?? target.filter((part) => part !== undefined).join(' ');
  const parts = PARTS.flatMap((part) => {
    const value =
      part === 'path' ? (typeof path === 'object' ? path : undefined) : others[part as keyof typeof others];
    return value === undefined ? [] : [`${part} ${toShown(value)}`];
  });
  return [
    name || 'any request',
    ...(parts.length > 0 ? [`with ${parts.join(', ')}`] : []),
    ...(breaches === undefined ? [] : [breaches ? 'that breaks the contract' : 'that keeps to the contract']),
  ].join(' ');
}

/** The Problem for a pattern that no request could ever match. */
export function invalidPattern(message: string): Problem {
  return new Problem(422, 'invalid_pattern', message);
}

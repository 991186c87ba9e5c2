import type { JournalEntry } from '../journal.ts';
import type { OperationInfo } from '../service/service.ts';
import { escapeControls } from './details.ts';
import type { CountedFinding, ExecFindings } from './exec-report.ts';
import { isExpected } from './expected-status.ts';

/** Collects what the consumers of a mock do with its contract. */
export interface Findings {
  /** Takes one exchange. */
  add(entry: JournalEntry): void;
  /** Sums up all exchanges for the operations of a document. */
  sum(operations: readonly OperationInfo[]): ExecFindings;
}

/** Creates an empty collection. A client that sends ever new mistakes does not make it grow without bound. */
export function createFindings(): Findings {
  const violations = createCounter();
  const unknown = createCounter();
  const calls = new Map<string, number>();
  let requests = 0;
  return {
    add(entry) {
      if (isPreflight(entry)) return;
      requests += 1;
      const { operation } = entry;
      if (operation !== undefined) calls.set(operation, (calls.get(operation) ?? 0) + 1);
      const isMeant = isExpected(entry.request.headers['x-mock-expect'], entry.status);
      for (const finding of isMeant ? [] : toViolations(entry)) violations.add(finding);
      for (const finding of isMeant ? [] : toUnknown(entry)) unknown.add(finding);
    },
    sum(operations) {
      const called = operations.filter(({ id }) => calls.has(id));
      const list = (found: readonly OperationInfo[]) =>
        found.map(({ id, notice = '' }) => ({ operation: id, message: notice, count: calls.get(id) ?? 0 }));
      return {
        requests,
        operations: operations.length,
        violations: violations.list(),
        unknown: unknown.list(),
        deprecated: list(called.filter(({ deprecated }) => deprecated)),
        unstable: list(called.filter(({ stability }) => stability !== undefined)),
        sunset: list(called.filter(({ sunset }) => sunset !== undefined)),
        uncovered: operations
          .filter(({ id }) => !calls.has(id))
          .map(({ id, method, path }) => ({ operation: id, message: `${method} ${path}`, count: 1 })),
      };
    },
  };
}

type Finding = Omit<CountedFinding, 'count'>;

const MOST_FINDINGS = 1000;
const MOST_CHARACTERS = 300;

/** Counts equal findings together. Past a bound, new ones are counted as one. */
function createCounter() {
  const counted = new Map<string, CountedFinding>();
  return {
    add(given: Finding) {
      const finding = { operation: cut(given.operation), message: cut(given.message) };
      const known = `${finding.operation} ${finding.message}`;
      const isFull = counted.size >= MOST_FINDINGS && !counted.has(known);
      const [key, counts] = isFull ? ['', OTHERS] : [known, finding];
      counted.set(key, { ...counts, count: (counted.get(key)?.count ?? 0) + 1 });
    },
    list: (): CountedFinding[] => [...counted.values()],
  };
}

const OTHERS: Finding = { operation: 'others', message: 'more kinds than are listed' };

function cut(text: string): string {
  const plain = escapeControls(text.slice(0, MOST_CHARACTERS));
  return text.length > MOST_CHARACTERS ? `${plain}...` : plain;
}

/** A browser sends it by itself. */
function isPreflight({ method, request: { headers } }: JournalEntry): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

const UNKNOWN_INPUT: ReadonlySet<string> = new Set(['parameter-unknown', 'member-unknown', 'body-ignored']);
const UNKNOWN_TARGETS: ReadonlySet<string> = new Set([
  'path_not_found',
  'method_not_allowed',
  'method_not_implemented',
]);

/** The request breaks the schema, the format or the media type that the document declares. */
function toViolations(entry: JournalEntry): Finding[] {
  const { problem, source } = entry;
  if (!problem || source === 'fault') return [];
  const operation = toName(entry);
  if (problem.violations.length > 0)
    return problem.violations
      .filter(({ code }) => !UNKNOWN_INPUT.has(code))
      .map(({ location, message, code }) => ({ operation, message: `${location} ${message} [${code}]` }));
  return BROKEN.test(problem.code) ? [{ operation, message: `${problem.message} [${problem.code}]` }] : [];
}

const BROKEN = /^(malformed_.*|unsupported_media_type|not_acceptable)$/;

/** The request has a path, a method, a parameter or a member that the document does not have. */
function toUnknown(entry: JournalEntry): Finding[] {
  const { problem, notice, warnings } = entry;
  const operation = toName(entry);
  if (problem && UNKNOWN_TARGETS.has(problem.code))
    return [{ operation, message: `${problem.message} [${problem.code}]` }];
  const refused = (problem?.violations ?? [])
    .filter(({ code }) => UNKNOWN_INPUT.has(code))
    .map(({ location, message, code }) => `${location} ${message} [${code}]`);
  const ignored = notice?.split('; ').filter((part) => part.endsWith('[body-ignored]')) ?? [];
  const warned = warnings.filter((text) => UNKNOWN_INPUT.has(/\[([\w-]+)\]$/.exec(text)?.[1] ?? ''));
  return [...refused, ...warned, ...ignored].map((message) => ({ operation, message }));
}

function toName({ operation, method, path }: JournalEntry): string {
  return operation ?? `${method} ${path}`;
}

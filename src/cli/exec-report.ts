import { findNearest } from '../find-nearest.ts';
import { SetupError } from '../problem.ts';
import { formatTable } from './table.ts';

/** What a consumer did with the contract. */
export interface ExecFindings extends Readonly<Record<FindingKind, readonly CountedFinding[]>> {
  readonly requests: number;
  /** The number of operations in the document. */
  readonly operations: number;
}

/** Something that was found once or more often. */
export interface CountedFinding {
  /** The operationId, or the method and path of a request that no operation takes. */
  readonly operation: string;
  readonly message: string;
  readonly count: number;
}

/** The kinds of findings, the worst first. */
export const FINDING_KINDS = [
  'violations',
  'unknown',
  'deprecated',
  'unstable',
  'sunset',
  'uncovered',
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** The report of `exec`. */
export interface ExecReport {
  readonly text: string;
  /** Whether there is a finding of a kind that fails. */
  readonly failed: boolean;
}

/** Sums up findings: a count of each kind, then the findings with what to do about them. */
export function toExecReport(findings: ExecFindings, failOn: readonly FindingKind[]): ExecReport {
  const { requests, operations, uncovered } = findings;
  if (requests === 0 && !failOn.includes('uncovered')) return { text: NO_REQUEST, failed: false };
  const failing = failOn.filter((kind) => findings[kind].length > 0);
  const called = operations - uncovered.length;
  const rows = FINDING_KINDS.map((kind) => [
    `  ${kind}`,
    String(sum(findings[kind])),
    failing.includes(kind) ? 'fails' : '',
  ]);
  const lists = FINDING_KINDS.filter((kind) => kind !== 'uncovered' || failing.includes(kind)).flatMap(
    (kind) => (findings[kind].length === 0 ? [] : ['', ...toLines(kind, findings[kind])]),
  );
  const head = `petstore-mock: ${count(requests, 'request')}, ${called} of ${count(operations, 'operation')} called`;
  const end =
    failing.length === 0 ? [] : ['', `Failed because of ${failing.join(', ')}. --fail-on says what fails.`];
  return { text: [head, formatTable(rows), ...lists, ...end].join('\n'), failed: failing.length > 0 };
}

const NO_REQUEST =
  'petstore-mock: no request came. Let the command read the URL from PETSTORE_MOCK_URL; --env NAME gives it another name.';

/** Reads the value of `--fail-on`. Throws a SetupError for an unknown kind. */
export function readFailOn(value: string): FindingKind[] {
  const names = value.split(',').map((name) => name.trim());
  if (names.length === 1 && names[0] === 'none') return [];
  for (const name of names) {
    if (isKind(name)) continue;
    const nearest = findNearest(name, FINDING_KINDS);
    const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
    const message = `--fail-on must be none or a list of ${FINDING_KINDS.join(', ')}, not ${JSON.stringify(value)}.${hint}`;
    throw new SetupError('option-invalid', message, { usage: true });
  }
  return FINDING_KINDS.filter((kind) => names.includes(kind));
}

function isKind(name: string): name is FindingKind {
  return (FINDING_KINDS as readonly string[]).includes(name);
}

const NEXT: Readonly<Record<FindingKind, string>> = {
  violations: 'Correct these requests, or send X-Mock-Expect: 422 where a test means to break the contract.',
  unknown: 'The document has none of these. Correct the requests, or add it to the document.',
  deprecated: 'Move to the successor.',
  unstable: 'These may change. Test again with every version of the document.',
  sunset: 'Move to the successor before the end.',
  uncovered: 'Nothing calls these. Add tests for those that you need.',
};

const MOST_LINES = 10;

function toLines(kind: FindingKind, findings: readonly CountedFinding[]): string[] {
  const sorted = findings.toSorted((one, other) => other.count - one.count);
  const more = sorted.length - MOST_LINES;
  const lines = sorted.slice(0, MOST_LINES).map(({ operation, message, count: times }) => {
    const text = message.startsWith(operation) ? message : `${operation}: ${message}`;
    return `  ${times > 1 ? `${times}x ` : ''}${text}`;
  });
  return [`${kind}: ${NEXT[kind]}`, ...lines, ...(more > 0 ? [`  and ${more} more`] : [])];
}

function sum(findings: readonly CountedFinding[]): number {
  return findings.reduce((all, { count: each }) => all + each, 0);
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

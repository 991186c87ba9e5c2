import { findNearest } from '../base/find-nearest.ts';
import { SetupError } from '../base/problem.ts';
import {
  type CoverageFinding,
  type CoverageReport,
  FINDING_KINDS,
  type FindingKind,
  toCoverageFindings,
} from '../mock/coverage/coverage.ts';
import { formatFinding } from './coverage-table.ts';
import { formatTable } from './table.ts';

/** The report of `exec`. */
interface ExecReport {
  readonly text: string;
  /** Whether there is a finding of a kind that fails. */
  readonly failed: boolean;
}

/** Sums up a report: a count of each kind of findings, then these with the next step. */
export function toExecReport(report: CoverageReport, failOn: readonly FindingKind[]): ExecReport {
  const { requests, summary } = report;
  const { covered, total } = summary.operations;
  if (requests === 0 && !failOn.includes('uncovered')) return { text: NO_REQUEST, failed: false };
  const all = toCoverageFindings(report);
  const found = FINDING_KINDS.map((kind) => ({ kind, findings: all.filter((each) => each.kind === kind) }));
  const failing = failOn.filter((kind) => all.some((each) => each.kind === kind));
  const rows = found.map(({ kind, findings }) => [
    `  ${kind}`,
    String(sum(findings)),
    failing.includes(kind) ? 'fails' : '',
  ]);
  const lists = found
    .filter(({ kind, findings }) => findings.length > 0 && (kind !== 'uncovered' || failing.includes(kind)))
    .flatMap(({ kind, findings }) => ['', ...toLines(kind, findings)]);
  const head = `petstore-mock: ${count(requests, 'request')}, ${covered} of ${count(total, 'operation')} called`;
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
  unknown: 'Not in the document. Correct the requests, or add these to the document.',
  deprecated: 'Move to the successor.',
  unstable: 'These may change. Test again with every version of the document.',
  sunset:
    'These may be gone in production. Move to the successor, or send X-Mock-Expect: 410 where a test rehearses the end.',
  uncovered: 'Nothing calls these. Add tests for those that you need.',
};

const MOST_LINES = 10;

function toLines(kind: FindingKind, findings: readonly CoverageFinding[]): string[] {
  const more = findings.length - MOST_LINES;
  const lines = findings.slice(0, MOST_LINES).map((finding) => `  ${formatFinding(finding)}`);
  return [`${kind}: ${NEXT[kind]}`, ...lines, ...(more > 0 ? [`  and ${more} more`] : [])];
}

function sum(findings: readonly CoverageFinding[]): number {
  return findings.reduce((all, { count: each }) => all + Math.max(each, 1), 0);
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

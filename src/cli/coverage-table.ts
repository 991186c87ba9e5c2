import { escapeControls } from '../base/printable.ts';
import {
  type CoverageFinding,
  type CoverageReport,
  FINDING_KINDS,
  type FindingKind,
  type Share,
  toCoverageFindings,
} from '../mock/coverage/coverage.ts';
import { formatTable } from './table.ts';

/** The kinds of points in words, in the order of a report. */
export const COVERAGE_TITLES: Readonly<Record<keyof CoverageReport['summary'], string>> = {
  operations: 'operations',
  statuses: 'statuses',
  parameters: 'parameters',
  requestProperties: 'request properties',
  responseProperties: 'response properties',
  enumValues: 'enum values',
  mediaTypes: 'media types',
  securitySchemes: 'security schemes',
};

/** The kinds of findings as headings. */
export const FINDING_TITLES: Readonly<Record<FindingKind, string>> = {
  violations: 'Requests that break the contract',
  unknown: 'Sent, but not in the document',
  sunset: 'Called past their sunset',
  deprecated: 'Deprecated, but called',
  unstable: 'Unstable, but called',
  uncovered: 'Not called',
};

/** A caution for everybody who reads that a response property is covered. */
export const CAUTION =
  'A response property counts as covered if an answer had it. Whether the client read it, no server can know.';

/** The findings of a kind in a table for the terminal; the JSON has all of them. */
const MOST_FINDINGS = 10;

/** Formats a report for the terminal. */
export function formatCoverage(report: CoverageReport): string {
  const rows = toShares(report).map(([title, share]) => [
    title,
    `${share.covered} of ${share.total}`,
    toPercent(share),
  ]);
  return [
    `Contract coverage of ${report.document.title}`,
    formatTable(rows),
    ...FINDING_KINDS.flatMap((kind) => formatFindings(kind, findingsOf(report, kind))),
    CAUTION,
  ].join('\n\n');
}

/** The shares of all kinds that the document has, with their titles. */
export function toShares({ summary }: CoverageReport): [title: string, share: Share][] {
  return (Object.keys(COVERAGE_TITLES) as (keyof typeof summary)[])
    .filter((kind) => summary[kind].total > 0)
    .map((kind) => [COVERAGE_TITLES[kind], summary[kind]]);
}

/** `67 %`, and 100 only for a share that is whole. */
export function toPercent({ covered, total }: Share): string {
  return `${total === 0 ? 100 : Math.floor((covered / total) * 100)} %`;
}

/** The findings of one kind. */
export function findingsOf(report: CoverageReport, kind: FindingKind): CoverageFinding[] {
  return toCoverageFindings(report).filter((finding) => finding.kind === kind);
}

/** `2x createPet: body.name is required [required]` */
export function formatFinding({ subject, text, count }: CoverageFinding): string {
  return escapeControls(`${count > 1 ? `${count}x ` : ''}${subject}: ${text}`);
}

function formatFindings(kind: FindingKind, findings: readonly CoverageFinding[]): string[] {
  if (findings.length === 0) return [];
  const shown = findings.slice(0, MOST_FINDINGS).map((finding) => `  ${formatFinding(finding)}`);
  const more = findings.length - shown.length;
  const rest = more === 0 ? [] : [`  and ${more} more`];
  return [[`${FINDING_TITLES[kind]}: ${findings.length}`, ...shown, ...rest].join('\n')];
}

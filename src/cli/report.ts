import type { CheckFinding, CheckReport, CheckViolation } from '../mock/check/check.ts';
import { EXPLAIN_HINT } from './explain.ts';
import { formatTable } from './table.ts';
import { escapeXml, toAttributes } from './xml.ts';

/** The formats of a report of `check`. */
export const REPORT_FORMATS = ['table', 'json', 'junit'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Formats a report of `check`. */
export function formatReport(report: CheckReport, format: ReportFormat): string {
  return FORMATTERS[format](report);
}

/** Formats the totals, the last line of the table. */
export function formatSummary({ checks, violations }: CheckReport): string {
  return `${count(checks, 'check')}, ${count(violations.length, 'violation')}`;
}

const FORMATTERS: Readonly<Record<ReportFormat, (report: CheckReport) => string>> = {
  table: toTable,
  json: (report) => JSON.stringify(report, undefined, 2),
  junit: toJUnit,
};

function toTable(report: CheckReport): string {
  const { against, operations, resources, violations, skipped } = report;
  const rows = operations.map(({ method, path, cases }) => [method, path, ...toResult(cases)]);
  const lives = resources.map(({ resource, adapter, cases }) => [resource, adapter, ...toResult(cases)]);
  return [
    ...(against === undefined ? [] : [`Against ${against}`]),
    formatTable([['METHOD', 'PATH', 'CHECKS', 'RESULT'], ...rows]),
    ...(lives.length === 0 ? [] : [formatTable([['RESOURCE', 'REACHED', 'CHECKS', 'RESULT'], ...lives])]),
    ...violations.map(toParagraph),
    ...(violations.length === 0 ? [] : [EXPLAIN_HINT]),
    ...(skipped.length === 0 ? [] : [['Not checked:', ...skipped].join('\n  ')]),
    formatSummary(report),
  ].join('\n\n');
}

type Cases = readonly { readonly violations: readonly CheckFinding[] }[];

function toResult(cases: Cases): [checks: string, result: string] {
  const violations = cases.reduce((sum, each) => sum + each.violations.length, 0);
  return [String(cases.length), violations === 0 ? 'ok' : count(violations, 'violation')];
}

function toParagraph({ operation, name, curl, ...finding }: CheckViolation): string {
  return `${operation}, asked for ${name}:\n  ${toLine(finding)}\n  ${curl}`;
}

function toLine({ message, code }: CheckFinding): string {
  return `${message} [${code}]`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

/** Writes a suite for each operation, and one for the life cycle of each resource. */
function toJUnit({ operations, resources, checks, document, milliseconds }: CheckReport): string {
  const suites = [
    ...operations.map(({ method, path, cases }) => ({ name: `${method} ${path}`, cases })),
    ...resources.map(({ resource, adapter, cases }) => ({ name: `life of ${resource}, ${adapter}`, cases })),
  ];
  const lines = suites.flatMap(({ name, cases }) => [
    `  <testsuite ${toAttributes({ name, tests: cases.length, failures: cases.filter(isBroken).length })}>`,
    ...cases.flatMap((each) => {
      const head = `    <testcase ${toAttributes({ classname: name, name: each.name, time: each.milliseconds / 1000 })}`;
      const [first] = each.violations;
      if (!first) return [`${head}/>`];
      const text = [...each.violations.map(toLine), each.curl].join('\n');
      const failure = `      <failure ${toAttributes({ message: first.message, type: first.code })}>${escapeXml(text)}</failure>`;
      return [`${head}>`, failure, '    </testcase>'];
    }),
    '  </testsuite>',
  ]);
  const broken = suites.flatMap(({ cases }) => cases).filter(isBroken).length;
  const all = { name: document.title, tests: checks, failures: broken, time: milliseconds / 1000 };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${toAttributes(all)}>`,
    ...lines,
    '</testsuites>',
  ].join('\n');
}

function isBroken({ violations }: Cases[number]): boolean {
  return violations.length > 0;
}

import type { CoverageReport } from '../mock/coverage/coverage.ts';
import { toCoverageFindings } from '../mock/coverage/coverage.ts';
import { escapeXml, toAttributes } from './xml.ts';

/** Kinds that are remarks, because a consumer need not use a whole contract. */
const REMARKS: ReadonlySet<string> = new Set(['uncovered', 'deprecated', 'unstable']);

/** Formats a report as JUnit: a case for each operation, which fails if requests broke its contract, and is skipped if there were none. */
export function toCoverageJUnit(report: CoverageReport): string {
  const findings = toCoverageFindings(report);
  const known = new Set(report.operations.map(({ id }) => id));
  const breaches = findings.filter(({ kind }) => !REMARKS.has(kind));
  const others = breaches.filter(({ subject }) => !known.has(subject));
  const cases = [
    ...report.operations.map(({ id, calls }) => {
      const own = breaches.filter(({ subject }) => subject === id).map(({ text }) => text);
      return { name: id, texts: own, isSkipped: calls === 0 };
    }),
    ...(others.length > 0
      ? [
          {
            name: 'requests that match no operation',
            texts: others.map(({ text }) => text),
            isSkipped: false,
          },
        ]
      : []),
  ];
  const totals = {
    tests: cases.length,
    failures: cases.filter(({ texts }) => texts.length > 0).length,
    skipped: cases.filter(({ isSkipped }) => isSkipped).length,
  };
  const attributes = toAttributes({ name: `contract of ${report.document.title}`, ...totals });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes}>`,
    `  <testsuite ${attributes}>`,
    ...cases.map(toCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function toCase({
  name,
  texts,
  isSkipped,
}: {
  name: string;
  texts: readonly string[];
  isSkipped: boolean;
}): string {
  const head = `    <testcase ${toAttributes({ classname: 'contract', name })}`;
  const [first] = texts;
  if (first !== undefined) {
    const failure = `<failure ${toAttributes({ message: first })}>${escapeXml(texts.join('\n'))}</failure>`;
    return `${head}>${failure}</testcase>`;
  }
  return isSkipped ? `${head}><skipped/></testcase>` : `${head}/>`;
}

import { escapeControls } from '../base/printable.ts';
import { type CoverageReport, FINDING_KINDS } from '../mock/coverage/coverage.ts';
import { CAUTION, FINDING_TITLES, findingsOf, toPercent, toShares } from './coverage-table.ts';

/** Formats a report for a pull request. */
export function toCoverageMarkdown(report: CoverageReport): string {
  const shares = toShares(report).map(
    ([title, share]) => `| ${title} | ${share.covered} of ${share.total} | ${toPercent(share)} |`,
  );
  const findings = FINDING_KINDS.flatMap((kind) => {
    const found = findingsOf(report, kind);
    if (found.length === 0) return [];
    const items = found.map(
      ({ subject, text, count }) =>
        `- \`${escapeCode(subject)}\`: ${escapeText(text)}${count > 1 ? ` (${count} times)` : ''}`,
    );
    return [
      `<details><summary>${FINDING_TITLES[kind]}: ${found.length}</summary>\n\n${items.join('\n')}\n\n</details>`,
    ];
  });
  return [
    `## Contract coverage of ${escapeText(report.document.title)}`,
    ['| part of the contract | covered | |', '|---|---|---|', ...shares].join('\n'),
    ...findings,
    `<sub>${CAUTION}</sub>`,
    '',
  ].join('\n\n');
}

/** Clients choose paths and names, so that no text may become a link, an image or HTML. */
function escapeText(text: string): string {
  const escaped = text.replace(/[\\`*_[\]<>#|~!@]/g, (char) => `&#${char.charCodeAt(0)};`);
  return escapeControls(escaped.replace(/\s+/g, ' '));
}

function escapeCode(text: string): string {
  return escapeControls(text.replaceAll('`', "'").replace(/\s+/g, ' '));
}

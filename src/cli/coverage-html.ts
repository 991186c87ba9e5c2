import {
  type CoverageReport,
  FINDING_KINDS,
  type OperationCoverage,
  type Share,
} from '../mock/coverage/coverage.ts';
import {
  CAUTION,
  COVERAGE_TITLES,
  FINDING_TITLES,
  findingsOf,
  toPercent,
  toShares,
} from './coverage-table.ts';
import { escapeXml } from './xml.ts';

/** Formats a report as one page, which needs no network and no scripts. */
export function toCoverageHtml(report: CoverageReport): string {
  const title = `Contract coverage of ${report.document.title}`;
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>${STYLES}</style>`,
    `<h1>${escapeXml(title)}</h1>`,
    `<ul class="shares">${toShares(report).map(toCard).join('')}</ul>`,
    `<p>${CAUTION}</p>`,
    ...FINDING_KINDS.filter((kind) => kind !== 'uncovered').flatMap((kind) => toFindings(report, kind)),
    '<h2>Operations</h2>',
    '<table><thead><tr><th>Operation<th>Calls<th>Answers<th>Points</thead><tbody>',
    ...report.operations.map(toRow),
    '</tbody></table>',
    '</html>',
    '',
  ].join('\n');
}

function toCard([title, share]: [string, Share]): string {
  const { covered, total } = share;
  return `<li><b>${toPercent(share)}</b> ${title}<meter max="${total}" value="${covered}"></meter><small>${covered} of ${total}</small></li>`;
}

function toFindings(report: CoverageReport, kind: (typeof FINDING_KINDS)[number]): string[] {
  const found = findingsOf(report, kind);
  if (found.length === 0) return [];
  const items = found.map(({ subject, text, count }) => {
    return `<li><code>${escapeXml(subject)}</code> ${escapeXml(text)}${count > 1 ? ` <small>${count} times</small>` : ''}</li>`;
  });
  return [`<h2>${FINDING_TITLES[kind]}</h2>`, `<ul class="${kind}">${items.join('')}</ul>`];
}

function toRow({ id, method, path, calls, statuses, points }: OperationCoverage): string {
  const answers = Object.entries(statuses).map(([status, count]) => `${status} × ${count}`);
  const all = Object.values(points).flatMap((each) => Object.values(each));
  const share = { covered: all.filter(Boolean).length, total: all.length };
  const missing = (Object.keys(points) as (keyof typeof points)[]).flatMap((kind) => {
    const names = Object.entries(points[kind]).filter(([, seen]) => !seen);
    if (names.length === 0) return [];
    const list = names.map(([name]) => `<code>${escapeXml(name)}</code>`).join(', ');
    return [`<dt>${COVERAGE_TITLES[kind]}<dd>${list}`];
  });
  const details =
    missing.length === 0
      ? toPercent(share)
      : `<details><summary>${toPercent(share)}</summary><dl>${missing.join('')}</dl></details>`;
  const name = `<code>${escapeXml(id)}</code> <small>${escapeXml(`${method} ${path}`)}</small>`;
  return `<tr${calls === 0 ? ' class="uncalled"' : ''}><td>${name}<td>${calls}<td>${answers.join(', ')}<td>${details}`;
}

const STYLES = `
:root { color-scheme: light dark; --line: light-dark(#d8dde4, #3a414b); --soft: light-dark(#5c6670, #9aa5b1); --bad: light-dark(#b42318, #ff8a7a); }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
.shares { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .75rem; list-style: none; padding: 0; }
.shares li { border: 1px solid var(--line); border-radius: 8px; padding: .75rem; }
.shares b { font-size: 1.4rem; display: block; } meter { width: 100%; display: block; }
small, p { color: var(--soft); } code { font: .92em ui-monospace, monospace; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-top: 1px solid var(--line); }
td:nth-child(2) { text-align: right; } .uncalled { color: var(--soft); } .unknown code, .violations code, .sunset code { color: var(--bad); }
dl { margin: .3rem 0 0; } dt { font-weight: 600; } dd { margin: 0 0 .3rem; } summary { cursor: pointer; }
`;

import { readFileSync } from 'node:fs';
import { findNearest } from '../base/find-nearest.ts';
import { SetupError } from '../base/problem.ts';
import { CODES_PAGE } from '../package-files.ts';
import { type CodeGroup, findExplained, readCodesPage } from './codes-page.ts';

/** The line below output with codes. */
export const EXPLAIN_HINT = '"petstore-mock explain CODE" says more.';

/** Explains a code, which may have its brackets; without one, lists all codes. Throws a SetupError for an unknown code. */
export function explain(word: string | undefined): string {
  const groups = readCodesPage(readFileSync(CODES_PAGE, 'utf8'));
  if (word === undefined) return formatList(groups);
  const code = word.replace(/^\[|\]$/g, '');
  const found = findExplained(code, groups);
  if (!found) throw unknownCode(code, groups);
  return `${code}\n\n${toPlainText(found.text)}`;
}

function unknownCode(code: string, groups: readonly CodeGroup[]): SetupError {
  const nearest = findNearest(
    code,
    groups.flatMap(({ codes }) => codes.map((each) => each.code)),
  );
  const remedy =
    nearest === undefined ? '"petstore-mock explain" lists all codes.' : `Did you mean ${nearest}?`;
  return new SetupError('code-unknown', `Unknown code ${code}. ${remedy}`, { usage: true });
}

/** Each group with its codes, and the first sentence of each. */
function formatList(groups: readonly CodeGroup[]): string {
  const width = Math.max(...groups.flatMap(({ codes }) => codes.map(({ code }) => code.length)));
  return groups
    .map(({ title, codes }) => {
      const lines = codes.map(({ code, text }) => `  ${code.padEnd(width)}  ${toFirstSentence(text)}`);
      return [title, ...lines].join('\n');
    })
    .join('\n\n');
}

function toFirstSentence(markdown: string): string {
  const [paragraph = ''] = markdown.split('\n\n');
  const text = toPlainText(paragraph.replaceAll('\n', ' '));
  return /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text;
}

const INDENT = '    ';

/** Markdown as text for a terminal: code blocks are indented, and other code is quoted. */
function toPlainText(markdown: string): string {
  let isCode = false;
  return markdown
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('```')) {
        isCode = !isCode;
        return [];
      }
      if (isCode) return [line === '' ? '' : INDENT + line];
      return [line.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '"')];
    })
    .join('\n');
}

import { STATUS_CODES } from 'node:http';
import { toCode } from '../answer/faults/faults.ts';

/** The codes of one group, in the order of the page. */
export interface CodeGroup {
  readonly title: string;
  readonly codes: readonly ExplainedCode[];
}

/** A section of the page. */
export interface ExplainedCode {
  /** The heading: a code, or a pattern such as `<resource>_not_found`. */
  readonly code: string;
  /** Markdown. */
  readonly text: string;
}

/** Reads the page of all codes: a heading for each group, and below it one for each code. */
export function readCodesPage(markdown: string): CodeGroup[] {
  return splitAt(markdown, '## ')
    .map(([title, text]) => ({
      title,
      codes: splitAt(text, '### ').map(([code, text]) => ({ code: code.replaceAll('`', ''), text })),
    }))
    .filter(({ codes }) => codes.length > 0);
}

/** Splits a text at its headings of one level, and drops what is above the first. */
function splitAt(markdown: string, mark: string): (readonly [heading: string, text: string])[] {
  return `\n${markdown}`
    .split(`\n${mark}`)
    .slice(1)
    .map((part) => {
      const end = `${part}\n`.indexOf('\n');
      return [part.slice(0, end).trim(), part.slice(end).trim()];
    });
}

/** Finds the section that explains a code: its own, or the one for all codes that are built in the same way. */
export function findExplained(code: string, groups: readonly CodeGroup[]): ExplainedCode | undefined {
  const all = groups.flatMap(({ codes }) => codes);
  const find = (name: string) => all.find((each) => each.code === name);
  return find(code) ?? find(toPattern(code));
}

function toPattern(code: string): string {
  if (isPhrase(code)) return '<status>';
  const end = BUILT.find((ending) => code.length > ending.length && code.endsWith(ending));
  return end === undefined ? '' : `<resource>${end}`;
}

const BUILT = ['_not_found', '_exists'];

/** `service_unavailable`, or `status_599` */
function isPhrase(code: string): boolean {
  return (
    /^status_\d+$/.test(code) || Object.keys(STATUS_CODES).some((status) => toCode(Number(status)) === code)
  );
}

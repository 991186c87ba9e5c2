import { escapeControls } from '../base/printable.ts';

/** The characters of a line that are shown around the place. */
const SIDE = 60;

/** Shows the line of a mistake with one line before and after it, and a caret below the place. `line` and `column` count from 1. */
export function toCodeFrame(text: string, line: number, column: number): string {
  const lines = text.split(/\r?\n/);
  const from = Math.max(0, column - 1 - SIDE);
  const numbers = [line - 1, line, line + 1].filter((each) => each >= 1 && each <= lines.length);
  const width = String(numbers.at(-1) ?? '').length;
  const shown = numbers.flatMap((number) => {
    const own = lines[number - 1] ?? '';
    const content = toPrintable(own.slice(from, from + 2 * SIDE));
    const row = `${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${content}`;
    const before = toPrintable(own.slice(from, column - 1).padEnd(column - 1 - from));
    const caret = `  ${' '.repeat(width)} | ${' '.repeat(before.length)}^`;
    return number === line ? [row, caret] : [row];
  });
  return shown.map((row) => row.trimEnd()).join('\n');
}

function toPrintable(text: string): string {
  return escapeControls(text.replaceAll('\t', ' '));
}

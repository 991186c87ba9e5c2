import { SetupError } from '../base/problem.ts';
import { FLAGS } from './flags.ts';

/** A line `petstore-mock exec [options] -- <command> [args...]`, cut before the command. */
interface ExecArguments {
  readonly argv: readonly string[];
  readonly command: readonly string[];
}

/**
 * Cuts the command off the arguments of `exec`; `undefined` for any other command. It begins behind `--`, or at the first word that is
 * neither an option nor a document, because PowerShell takes `--` away.
 */
export function splitExec(given: readonly string[]): ExecArguments | undefined {
  const exec = skipFlags(given, 0);
  if (given[exec] !== 'exec') return undefined;
  let at = skipFlags(given, exec + 1);
  while (DOCUMENT.test(given[at] ?? '')) at = skipFlags(given, at + 1);
  return { argv: given.slice(0, at), command: given.slice(given[at] === '--' ? at + 1 : at) };
}

/** Without an extension, a document is named by `--spec`. */
const DOCUMENT = /^-$|\.(json|ya?ml)$/i;

/** The index of the first word from `at` on that is neither a flag nor its value. */
function skipFlags(words: readonly string[], from: number): number {
  let at = from;
  for (let word = words[at]; word?.startsWith('-') && word !== '-' && word !== '--'; word = words[at])
    at += VALUED.has(word) ? 2 : 1;
  return at;
}

/** The flags whose next word is their value. */
const VALUED: ReadonlySet<string> = new Set([
  ...FLAGS.flatMap(({ flag }) => (flag.required ? [flag.long ?? ''] : [])),
  ...['--env', '--fail-on', '-p', '-v'],
]);

/**
 * Splits a command line into words, alike on all systems and without a shell: quotes of both kinds hold words together, and a backslash
 * stands for itself, except before a double quote or a backslash inside of double quotes.
 */
export function splitCommandLine(line: string): string[] {
  const words: string[] = [];
  for (const [word] of line.matchAll(WORD)) {
    if (OPERATOR.test(word)) throw toUsageError(`No shell reads ${toText(line)}, so ${word} means nothing.`);
    words.push(word.replace(PART, toPlain));
  }
  if (/["']/.test(line.replace(PART, ''))) throw toUsageError(`A quote in ${toText(line)} is not closed.`);
  if (words.length === 0) throw toUsageError('A command line is empty.');
  return words;
}

const WORD = /(?:"(?:[^"\\]|\\[\s\S])*"|'[^']*'|\S)+/g;
const PART = /"(?:[^"\\]|\\[\s\S])*"|'[^']*'/g;
const OPERATOR = /^(?:&&?|\|\|?|;|\d?>>?|<)$/;

function toPlain(quoted: string): string {
  const inner = quoted.slice(1, -1);
  return quoted.startsWith('"') ? inner.replace(/\\(["\\])/g, '$1') : inner;
}

function toText(line: string): string {
  return `"${line.length > 80 ? `${line.slice(0, 80)}...` : line}"`;
}

function toUsageError(mistake: string): SetupError {
  const remedy = 'Put the line into a script of package.json, and run that: "npm run NAME".';
  return new SetupError('option-invalid', `${mistake} ${remedy}`, { usage: true });
}

import type { Command } from 'commander';
import { findNearest } from '../base/find-nearest.ts';

/** The commands; `mock` is that of Prism. */
export const COMMAND_NAMES: readonly string[] = ['mock', 'routes', 'check', 'exec', 'explain'];

/** Whether a word of the command line names a document rather than a command or a value. */
export function isDocumentName(word: string): boolean {
  return word === '-' || /[/\\]|\.(json|ya?ml)$/i.test(word);
}

/** The document that is named without `--spec`, as in `petstore-mock api.yaml` or, as for Prism, `petstore-mock mock api.yaml`. */
export function readDocument(program: Command): { readonly spec?: string } {
  const [first] = program.args;
  const words = first === 'mock' ? program.args.slice(1) : program.args;
  const [word] = words;
  if (word === 'help') program.help();
  // A name without an extension may still be that of a file.
  const isName = word === undefined || word === '-' || /[./\\]/.test(word);
  if (!isName) program.error(toUnknownCommand(word));
  return readWords(program, words, program.getOptionValue('spec'));
}

/** The document that a command such as `routes api.yaml` names. */
export function readCommandDocument(
  program: Command,
  name: string,
  words: readonly string[],
): { readonly spec?: string } {
  const [word] = words;
  if (word !== undefined && !isDocumentName(word) && !word.includes('.')) {
    const other = COMMAND_NAMES.includes(word)
      ? `Run one command at a time, '${name}' or '${word}'.`
      : `Name a document, as in: petstore-mock ${name} api.yaml`;
    program.error(`error: '${name}' cannot take '${word}'\n(${other})`);
  }
  return readWords(program, words, program.getOptionValue('spec'), name);
}

function readWords(
  program: Command,
  [word, second]: readonly string[],
  spec: unknown,
  command = '',
): { readonly spec?: string } {
  if (word === undefined) return {};
  if (second !== undefined) program.error(toSecondWord(word, second));
  if (spec !== undefined)
    program.error(
      `error: the document is named twice, by '${word}' and by --spec\n(Remove one of the two, as in: petstore-mock ${[...(command === '' ? [] : [command]), word].join(' ')})`,
    );
  return { spec: word };
}

function toSecondWord(word: string, second: string): string {
  if (COMMAND_NAMES.includes(second))
    return `error: the command comes before the document\n(Did you mean petstore-mock ${second} ${word}?)`;
  return `error: one document at a time, not '${word}' and '${second}'\n(Start the other one on another port, in a terminal of its own.)`;
}

function toUnknownCommand(word: string): string {
  const nearest = findNearest(word, COMMAND_NAMES);
  const remedy =
    nearest === undefined
      ? `The commands are ${COMMAND_NAMES.join(', ')}. Without one, the server starts: petstore-mock api.yaml`
      : `Did you mean ${nearest}?`;
  return `error: unknown command '${word}'\n(${remedy})`;
}

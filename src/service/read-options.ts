import { findNearest } from '../find-nearest.ts';
import { SetupError } from '../problem.ts';
import { LIBRARY_OPTIONS } from './option-lists.ts';
import type { MockOptions } from './service-options.ts';

/** Reads options that code gives. Throws a SetupError with a sentence for every mistake. */
export function readOptions(given: MockOptions): MockOptions {
  const options: Record<string, unknown> = {};
  const mistakes: string[] = [];
  const unknown: string[] = [];
  const names = LIBRARY_OPTIONS.map(({ name }) => name);
  for (const [name, value] of Object.entries({ ...given })) {
    if (value === undefined) continue;
    const option = LIBRARY_OPTIONS.find((each) => each.name === name);
    if (!option) {
      unknown.push(toUnknownOption(name, findNearest(name, names)));
      continue;
    }
    const result = (option.readInCode ?? option.read)(value);
    if ('mistake' in result) mistakes.push(`${name} ${result.mistake}.`);
    else options[name] = result.value;
  }
  if (unknown.length > 0) unknown.push(`The options are ${names.join(', ')}.`);
  const messages = [...mistakes, ...unknown];
  if (messages.length > 0) throw new SetupError(messages.join('\n'), { usage: true });
  return options;
}

/** Words the message for an unknown option, with the name that was probably meant. */
export function toUnknownOption(name: string, nearest: string | undefined): string {
  return `Unknown option ${name}.${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`;
}

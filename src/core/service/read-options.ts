import { findNearest } from '../../base/find-nearest.ts';
import { SetupError } from '../../base/problem.ts';
import { findConflict, toConflict } from './option-conflict.ts';
import { LIBRARY_OPTIONS } from './option-lists.ts';
import type { MockOptions } from './service-options.ts';
import { toSentence, toUnknownOptions, type UnknownOption } from './unknown-options.ts';

/** Reads options that code gives. Throws a SetupError with a sentence for every mistake. */
export function readOptions(given: MockOptions): MockOptions {
  const options: Record<string, unknown> = {};
  const mistakes: string[] = [];
  const unknown: UnknownOption[] = [];
  const names = LIBRARY_OPTIONS.map(({ name }) => name);
  for (const [name, value] of Object.entries({ ...given })) {
    if (value === undefined) continue;
    const option = LIBRARY_OPTIONS.find((each) => each.name === name);
    if (!option) {
      unknown.push({ name, nearest: findNearest(name, names) });
      continue;
    }
    const result = (option.readInCode ?? option.read)(value);
    if ('mistake' in result) mistakes.push(toSentence(`${name} ${result.mistake}`));
    else options[name] = result.value;
  }
  const wrong = mistakes.length;
  if (unknown.length > 0) mistakes.push(toUnknownOptions(unknown), `The options are ${names.join(', ')}.`);
  const conflict = findConflict(options);
  if (conflict) mistakes.push(toConflict(conflict));
  const code = wrong > 0 ? 'option-invalid' : unknown.length > 0 ? 'option-unknown' : 'option-conflict';
  if (mistakes.length > 0) throw new SetupError(code, mistakes.join('\n'), { usage: true });
  return options;
}

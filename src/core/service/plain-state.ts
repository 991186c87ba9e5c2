import { isObject, toShape } from '../../schema/schema.ts';
import { readJson, toJson } from '../../wire/codecs/codecs.ts';
import type { GivenState } from './change-state.ts';

/** A copy of lists as plain data: a date becomes a text, and later changes of the lists change no entity. Throws an `Error` for other data. */
export function toPlainState(lists: object): GivenState {
  const reading = readPlain(lists);
  if (!isObject(reading) || Array.isArray(reading))
    throw new Error('Expected lists by the names of resources, like { pets: [] }.');
  return reading as GivenState;
}

function readPlain(lists: object): unknown {
  try {
    // An integer beyond 2^53-1 stays exact.
    const reading = readJson(toJson(lists), toShape(undefined), '');
    if ('value' in reading) return reading.value;
    throw new Error(`${reading.violation.location} ${reading.violation.message}`);
  } catch (cause) {
    throw new Error(`The state is not plain data: ${(cause as Error).message}.`, { cause });
  }
}

import { isUrl } from '../../document/document.ts';
import type { OptionTable } from './option.ts';
import { isString, mustBe, type ReadResult } from './option-readers.ts';
import { TEXT } from './option-schemas.ts';

/** The option of the file that keeps the state. */
export const STATE_FILE_OPTIONS: Pick<OptionTable, 'state'> = {
  state: {
    flag: '--state <file>',
    description: 'keep the state over restarts, in this JSON file; where it exists, it wins over fixtures',
    default: undefined,
    defaultText: 'none',
    scope: 'both',
    read: readFile,
    schema: TEXT,
    path: true,
    fixed: true,
  },
};

/** Standard input and other hosts cannot be written. */
function readFile(given: unknown): ReadResult<string> {
  return isString(given) && given !== '' && given !== '-' && !isUrl(given)
    ? { value: given }
    : mustBe('the name of a file', given);
}

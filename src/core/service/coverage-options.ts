import type { OptionTable } from './option.ts';
import { isString, mustBe, type ReadResult, readIntegerBetween } from './option-readers.ts';
import { type OptionSchema, toIntegerSchema } from './option-schemas.ts';

/** The formats of a report, by the ending of its file. */
const REPORT_FILE = /\.(json|xml|md|html|txt)$/i;
const REPORT_SCHEMA: OptionSchema = {
  type: 'string',
  pattern: '\\.([jJ][sS][oO][nN]|[xX][mM][lL]|[mM][dD]|[hH][tT][mM][lL]|[tT][xX][tT])$',
};

/** The options of the coverage of the contract. */
export const COVERAGE_OPTIONS: Pick<OptionTable, 'report' | 'minCoverage'> = {
  report: {
    flag: '--report <file>',
    description:
      'write the coverage of the contract at the end: .json, .xml (JUnit), .md, .html or .txt; repeatable',
    default: [],
    defaultText: 'none',
    scope: 'command',
    read: readReportFiles,
    schema: { anyOf: [REPORT_SCHEMA, { type: 'array', items: REPORT_SCHEMA }] },
    list: true,
    fixed: true,
  },
  minCoverage: {
    flag: '--min-coverage <percent>',
    description: 'exit with 1 if fewer operations were called',
    default: 0,
    scope: 'command',
    read: readIntegerBetween(0, 100),
    schema: toIntegerSchema(0, 100),
    fixed: true,
  },
};

function readReportFiles(given: unknown): ReadResult<readonly string[]> {
  const files: unknown[] = [given].flat();
  const wrong = files.find((file) => !isString(file) || !REPORT_FILE.test(file));
  return wrong === undefined
    ? { value: files as readonly string[] }
    : mustBe('files that end with .json, .xml (JUnit), .md, .html or .txt', wrong);
}

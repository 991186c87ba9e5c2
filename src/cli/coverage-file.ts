import { writeFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { toWriteError } from '../base/file-mistake.ts';
import type { CoverageReport } from '../mock/coverage/coverage.ts';
import { toCoverageHtml } from './coverage-html.ts';
import { toCoverageJUnit } from './coverage-junit.ts';
import { toCoverageMarkdown } from './coverage-markdown.ts';
import { formatCoverage } from './coverage-table.ts';

type Write = (report: CoverageReport) => string;

/** The formats of a report by the ending of its file. */
const FORMATS: Readonly<Record<string, Write>> = {
  '.json': (report) => `${JSON.stringify(report, undefined, 2)}\n`,
  '.xml': toCoverageJUnit,
  '.md': toCoverageMarkdown,
  '.html': toCoverageHtml,
  '.txt': (report) => `${formatCoverage(report)}\n`,
};

/** Writes a report in the format that the ending of the file says. Throws a SetupError if it cannot. */
export async function writeCoverage(report: CoverageReport, file: string, cwd: string): Promise<void> {
  const write = FORMATS[extname(file).toLowerCase()] as Write;
  try {
    await writeFile(resolve(cwd, file), write(report));
  } catch (cause) {
    throw await toWriteError(cause, file, { what: 'report', option: '--report' });
  }
}

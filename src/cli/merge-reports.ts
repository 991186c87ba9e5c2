import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { toReadError } from '../base/file-mistake.ts';
import { SetupError } from '../base/problem.ts';
import { type CoverageReport, mergeCoverage, readCoverage } from '../mock/coverage/coverage.ts';
import { formatCoverage } from './coverage-table.ts';
import { loadSettings } from './load-mock.ts';
import { settleCoverage } from './settle-coverage.ts';
import type { Terminal } from './terminal.ts';

/** Merges the JSON reports of several runs, prints the result and writes it. Resolves to whether the coverage is enough. */
export async function mergeReports(
  terminal: Terminal,
  flags: Record<string, unknown>,
  files: readonly string[],
): Promise<boolean> {
  const settings = await loadSettings(terminal, flags);
  const report = mergeCoverage(await Promise.all(files.map((file) => readReport(file, terminal.cwd))));
  terminal.out(`${formatCoverage(report)}\n`);
  return settleCoverage(report, settings, terminal);
}

async function readReport(file: string, cwd: string): Promise<CoverageReport> {
  const path = resolve(cwd, file);
  const text = await readFile(path, 'utf8').catch(async (cause: unknown) => {
    throw await toReadError(cause, path, 'report');
  });
  try {
    return readCoverage(text);
  } catch (cause) {
    const reason = (cause as Error).message.replace(/\s+/g, ' ');
    const message = `Failed to read the report ${path}: ${reason}. Give the files that --report with the ending .json has written.`;
    throw new SetupError('report-invalid', message, { cause });
  }
}

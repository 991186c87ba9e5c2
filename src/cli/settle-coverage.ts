import type { Settings } from '../core/service/service.ts';
import type { CoverageReport } from '../mock/coverage/coverage.ts';
import { writeCoverage } from './coverage-file.ts';
import { findingsOf, toPercent } from './coverage-table.ts';
import type { Terminal } from './terminal.ts';

const MOST_NAMES = 10;

/**
 * Writes the reports that the settings ask for. Resolves to whether enough operations were called, and says on stderr which ones
 * were not. Throws a SetupError if a file cannot be written.
 */
export async function settleCoverage(
  report: CoverageReport,
  { report: files, minCoverage }: Pick<Settings, 'report' | 'minCoverage'>,
  terminal: Pick<Terminal, 'cwd' | 'err'>,
): Promise<boolean> {
  for (const file of files) await writeCoverage(report, file, terminal.cwd);
  const { covered, total } = report.summary.operations;
  if (covered * 100 >= minCoverage * total) return true;
  const missing = findingsOf(report, 'uncovered').map(({ subject }) => subject);
  const shown = missing.slice(0, MOST_NAMES).join(', ');
  const more = missing.length > MOST_NAMES ? ` and ${missing.length - MOST_NAMES} more` : '';
  terminal.err(
    `The contract is covered by ${toPercent({ covered, total })} of its operations, and --min-coverage asks for ${minCoverage} %. Not called: ${shown}${more}.\n`,
  );
  return false;
}

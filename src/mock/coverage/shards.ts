import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CoverageReport } from './coverage-report.ts';
import { readCoverage } from './read-coverage.ts';

/** The variable in which `exec` names the folder for the coverage of the mocks that its command creates. */
export const SHARDS_VARIABLE = 'PETSTORE_MOCK_SHARDS';

/** Leaves the report of a mock that ends to `exec`, if one runs it. Nobody else waits for a report of every operation. */
export async function writeShard(toReport: () => CoverageReport): Promise<void> {
  const folder = process.env[SHARDS_VARIABLE];
  if (folder === undefined || folder === '') return;
  const report = toReport();
  if (report.requests === 0) return;
  try {
    await writeFile(join(folder, `${randomUUID()}.json`), JSON.stringify(report));
  } catch (error) {
    // Nobody reads the report of a program that outlives `exec`.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Reads the reports in a folder that are about a document with this title. */
export async function readShards(folder: string, title: string): Promise<CoverageReport[]> {
  const files = await readdir(folder);
  const reports = await Promise.all(
    files.map(async (file) => readCoverage(await readFile(join(folder, file), 'utf8'))),
  );
  return reports.filter(({ document }) => document.title === title);
}

import { isObject } from '../../schema/schema.ts';
import { type CoverageReport, POINT_KINDS } from './coverage-report.ts';

const LISTS = ['operations', 'unknown', 'violations', 'deprecated', 'unstable', 'sunset'] as const;

/** Reads the JSON of a report. Throws an `Error` with the reason if it is not one. */
export function readCoverage(text: string): CoverageReport {
  const report: unknown = JSON.parse(text);
  if (!isObject(report) || !isObject(report.document)) throw new Error('it is not a coverage report in JSON');
  for (const list of LISTS)
    if (!Array.isArray(report[list])) throw new Error(`its member ${list} is missing`);
  for (const operation of report.operations as unknown[]) {
    const points = isObject(operation) ? operation.points : undefined;
    if (!isObject(points) || !POINT_KINDS.every((kind) => isObject(points[kind])))
      throw new Error('its operations have no points; it may come from another version');
  }
  return report as unknown as CoverageReport;
}

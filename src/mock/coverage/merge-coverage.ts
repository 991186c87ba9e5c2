import {
  type ContractViolation,
  type CoverageReport,
  type LifecycleUse,
  type OperationCoverage,
  POINT_KINDS,
  type PointKind,
  type Points,
  toCoverageSummary,
  type UnknownUse,
} from './coverage-report.ts';

/** Joins the reports of several runs over one document, such as the shards of a test suite. There must be at least one. */
export function mergeCoverage(reports: readonly CoverageReport[]): CoverageReport {
  const [first] = reports;
  if (!first) throw new Error('No report to merge');
  const operations = mergeBy(
    reports.flatMap((report) => report.operations),
    ({ id }) => id,
    joinOperations,
  );
  const uses = (kind: 'deprecated' | 'unstable' | 'sunset') =>
    mergeBy(
      reports.flatMap((report) => report[kind]),
      ({ operation }) => operation,
      joinUses,
    );
  return {
    document: first.document,
    requests: reports.reduce((sum, { requests }) => sum + requests, 0),
    summary: toCoverageSummary(operations),
    operations,
    unknown: mergeBy<UnknownUse>(
      reports.flatMap((report) => report.unknown),
      ({ operation, request, message }) => `${operation ?? request} ${message}`,
      addCounts,
    ),
    violations: mergeBy<ContractViolation>(
      reports.flatMap((report) => report.violations),
      ({ operation, location, code }) => `${operation} ${location} ${code}`,
      addCounts,
    ),
    deprecated: uses('deprecated'),
    unstable: uses('unstable'),
    sunset: uses('sunset'),
  };
}

function mergeBy<T>(items: readonly T[], keyOf: (item: T) => string, join: (one: T, other: T) => T): T[] {
  const merged = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    const known = merged.get(key);
    merged.set(key, known === undefined ? item : join(known, item));
  }
  return [...merged.values()];
}

function addCounts<T extends { readonly count: number }>(one: T, other: T): T {
  return { ...one, count: one.count + other.count };
}

function joinOperations(one: OperationCoverage, other: OperationCoverage): OperationCoverage {
  const statuses: Record<string, number> = { ...one.statuses };
  for (const [status, count] of Object.entries(other.statuses))
    statuses[status] = (statuses[status] ?? 0) + count;
  const points = POINT_KINDS.map((kind): [PointKind, Points] => [
    kind,
    joinPoints(one.points[kind], other.points[kind]),
  ]);
  return {
    ...one,
    calls: one.calls + other.calls,
    statuses,
    points: Object.fromEntries(points) as OperationCoverage['points'],
  };
}

function joinPoints(one: Points, other: Points): Points {
  const joined: Record<string, boolean> = { ...one };
  for (const [name, seen] of Object.entries(other)) joined[name] = seen || joined[name] === true;
  return joined;
}

function joinUses(one: LifecycleUse, other: LifecycleUse): LifecycleUse {
  return {
    ...one,
    calls: one.calls + other.calls,
    ...(one.isPast !== undefined && { isPast: one.isPast || other.isPast === true }),
    callers: mergeBy([...one.callers, ...other.callers], ({ name }) => name, addCounts),
    sessions: mergeBy([...one.sessions, ...other.sessions], ({ name }) => name, addCounts),
  };
}

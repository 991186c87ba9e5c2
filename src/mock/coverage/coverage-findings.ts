import { toBreachText } from '../../core/journal/journal.ts';
import type { CoverageReport, LifecycleUse } from './coverage-report.ts';

/** The kinds of findings in a report, the gravest first. */
export const FINDING_KINDS = [
  'violations',
  'unknown',
  'sunset',
  'deprecated',
  'unstable',
  'uncovered',
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** Something in a report to act on. */
export interface CoverageFinding {
  readonly kind: FindingKind;
  /** The operation, or what was requested where there is none. */
  readonly subject: string;
  /** A sentence without its end. */
  readonly text: string;
  readonly count: number;
}

/** Lists what a consumer should look at. */
export function toCoverageFindings(report: CoverageReport): CoverageFinding[] {
  const { unknown, violations, sunset, deprecated, unstable, operations } = report;
  return [
    ...violations.map(({ operation, count, ...breach }) => ({
      ...{ kind: 'violations' as const, subject: operation, text: toBreachText(breach), count },
    })),
    ...unknown.map(({ operation, request = '', message, count }) => ({
      ...{ kind: 'unknown' as const, subject: operation ?? request, text: message, count },
    })),
    ...sunset.map((use) => toFinding('sunset', use, `ended on ${use.sunset}`)),
    ...deprecated.map((use) => toFinding('deprecated', use, toEnd(use))),
    ...unstable.map((use) => toFinding('unstable', use, `is ${use.stability} and may change`)),
    ...operations
      .filter(({ calls }) => calls === 0)
      .map(({ id, method, path }) => ({
        ...{ kind: 'uncovered' as const, subject: id, text: `${method} ${path} was not called`, count: 0 },
      })),
  ];
}

function toEnd({ sunset }: LifecycleUse): string {
  return sunset === undefined ? 'is deprecated' : `is deprecated and ends on ${sunset}`;
}

function toFinding(kind: FindingKind, use: LifecycleUse, text: string): CoverageFinding {
  const { operation, calls, successor, callers, sessions } = use;
  const remedy = successor === undefined ? '' : `; use ${successor} instead`;
  const by = callers.map(({ name }) => name).slice(0, 3);
  const where = sessions.filter(({ name }) => name !== 'default').map(({ name }) => name);
  const within = where.length === 0 ? '' : `, in ${where.slice(0, 3).join(', ')}`;
  return {
    kind,
    subject: operation,
    text: `${text}${remedy} (called by ${by.join(', ')}${within})`,
    count: calls,
  };
}

/** A share: how many of how many. */
export interface Share {
  readonly covered: number;
  readonly total: number;
}

/** The kinds of points that a contract has. */
export const POINT_KINDS = [
  'statuses',
  'parameters',
  'requestProperties',
  'responseProperties',
  'enumValues',
  'mediaTypes',
  'securitySchemes',
] as const;
export type PointKind = (typeof POINT_KINDS)[number];

/** The points of one kind, and whether a request has exercised each. */
export type Points = Readonly<Record<string, boolean>>;

/** The coverage of one operation. */
export interface OperationCoverage {
  /** The operationId, or else the label. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly calls: number;
  /** The number of answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly points: Readonly<Record<PointKind, Points>>;
}

/** An operation that should not be called for ever, and its callers. */
export interface LifecycleUse {
  readonly operation: string;
  readonly calls: number;
  /** A date such as `2027-06-30`. */
  readonly sunset?: string;
  /** Whether that date had passed for one of the calls, by the clock of its session. */
  readonly isPast?: boolean;
  readonly stability?: string;
  readonly successor?: string;
  /** By the header `X-Mock-Consumer`, else by `User-Agent`. */
  readonly callers: readonly Counted[];
  readonly sessions: readonly Counted[];
}

interface Counted {
  readonly name: string;
  readonly count: number;
}

/** Something that clients sent and the document does not know. */
export interface UnknownUse {
  /** Absent for a path or a method. */
  readonly operation?: string;
  /** The method and path of a request that no operation takes. */
  readonly request?: string;
  /** A sentence, with what was probably meant. */
  readonly message: string;
  readonly count: number;
}

/** A finding in requests that break the contract. */
export interface ContractViolation {
  readonly operation: string;
  /** `body.categoryId` */
  readonly location: string;
  /** The code of the finding, such as `required`. */
  readonly code: string;
  readonly message: string;
  readonly count: number;
}

/** The parts of a contract that consumers use, and what they use beyond it. */
export interface CoverageReport {
  readonly document: { readonly title: string };
  readonly requests: number;
  readonly summary: Readonly<Record<PointKind | 'operations', Share>>;
  readonly operations: readonly OperationCoverage[];
  readonly unknown: readonly UnknownUse[];
  readonly violations: readonly ContractViolation[];
  /** The calls of deprecated operations before their sunset. */
  readonly deprecated: readonly LifecycleUse[];
  readonly unstable: readonly LifecycleUse[];
  /** The calls of operations past their sunset, by the clock of the session, except those that expected the status they got. */
  readonly sunset: readonly LifecycleUse[];
}

/** Sums the points of operations. */
export function toCoverageSummary(operations: readonly OperationCoverage[]): CoverageReport['summary'] {
  const shares = POINT_KINDS.map((kind): [PointKind, Share] => {
    const points = operations.flatMap((operation) => Object.values(operation.points[kind]));
    return [kind, { covered: points.filter(Boolean).length, total: points.length }];
  });
  const called = operations.filter(({ calls }) => calls > 0).length;
  return {
    operations: { covered: called, total: operations.length },
    ...(Object.fromEntries(shares) as Record<PointKind, Share>),
  };
}

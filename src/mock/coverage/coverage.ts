import type { Observe } from '../../core/handle/handle.ts';
import type { Service } from '../../core/service/service.ts';
import type { Operation } from '../../model/operations/operations.ts';
import { isPreflight, type MockResponse } from '../../wire/message/message.ts';
import { BreachCounts } from './breach-counts.ts';
import { type CoverageReport, toCoverageSummary } from './coverage-report.ts';
import { LifecycleUses } from './lifecycle-uses.ts';
import { ObservedOperation } from './observed-operation.ts';

export {
  type CoverageFinding,
  FINDING_KINDS,
  type FindingKind,
  toCoverageFindings,
} from './coverage-findings.ts';
export type {
  ContractViolation,
  CoverageReport,
  LifecycleUse,
  OperationCoverage,
  PointKind,
  Points,
  Share,
  UnknownUse,
} from './coverage-report.ts';
export { mergeCoverage } from './merge-coverage.ts';
export { readCoverage } from './read-coverage.ts';
export { readShards, SHARDS_VARIABLE, writeShard } from './shards.ts';

type Exchange = Parameters<Observe>[0];

/** The coverage of a contract by the requests of all sessions. */
export interface Coverage {
  /** Notes an exchange. Must not throw. */
  readonly observe: Observe;
  report(service: Service): CoverageReport;
  clear(): void;
}

export function createCoverage(): Coverage {
  const observed = new Map<string, ObservedOperation>();
  const uses = new LifecycleUses();
  const breaches = new BreachCounts();
  let requests = 0;
  const observedOf = (operation: Operation, service: Service): ObservedOperation => {
    const known = observed.get(operation.id);
    if (known?.operation === operation) return known;
    const made = new ObservedOperation(operation, service.security?.credentials(operation) ?? []);
    // After a reload the document may declare something else.
    if (known) made.calls = known.calls;
    observed.set(operation.id, made);
    return made;
  };
  return {
    observe(exchange) {
      const { match, request, response, service } = exchange;
      if (!response || isPreflight(request)) return;
      requests += 1;
      if (exchange.judgement.breaches.length > 0) breaches.note(exchange);
      if (!match) return;
      visit(observedOf(match.operation, service), exchange, response);
      uses.note(exchange, match.operation);
    },
    report(service) {
      const operations = service.table.operations.map((each) => observedOf(each, service).report());
      return {
        document: { title: service.document.title },
        requests,
        summary: toCoverageSummary(operations),
        operations,
        ...breaches.report(),
        ...uses.report(),
      };
    },
    clear() {
      requests = 0;
      observed.clear();
      uses.clear();
      breaches.clear();
    },
  };
}

/** Notes an exchange at its operation. */
function visit(
  known: ObservedOperation,
  exchange: Exchange,
  { headers, body, status, transmission }: MockResponse,
): void {
  const { request, input, recalled, problem, preferences, outcome } = exchange;
  known.count(status);
  // The request and the answer that it repeats are known already.
  if (recalled) return;
  if (input) known.visitRequest(request, input);
  if ((body === undefined && transmission?.kind !== 'stream') || request.method === 'HEAD') return;
  const value = problem || preferences.variant ? undefined : outcome?.body;
  known.visitResponse(status, headers['Content-Type'], value, body);
}

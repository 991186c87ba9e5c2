import { toDay } from '../clock.ts';
import type { Observe } from '../handle/handle.ts';
import type { Lifecycle } from '../lifecycle/lifecycle.ts';
import type { MockRequest, MockResponse } from '../message/message.ts';
import type { Operation } from '../operations/operations.ts';
import type { Service } from '../service/service.ts';
import { type CoverageReport, type LifecycleUse, toCoverageSummary } from './coverage-report.ts';
import { findBreaches, hasBreaches } from './breaches.ts';
import { ObservedOperation } from './observed-operation.ts';
import { Tally } from './tally.ts';

export { type CoverageFinding, FINDING_KINDS, type FindingKind, toCoverageFindings } from './coverage-findings.ts';
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

type Exchange = Parameters<Observe>[0];

/** The coverage of a contract by the requests of all sessions. */
export interface Coverage {
  /** Notes an exchange. Must not throw. */
  readonly observe: Observe;
  report(service: Service): CoverageReport;
  clear(): void;
}

/** Clients choose names, paths and values, so only so many are counted by themselves. */
const MOST_NAMES = 1000;
const MOST_CALLERS = 50;
const MOST_CALLER_CHARACTERS = 100;
const MOST_CHARACTERS = 300;

const MORE = 'more kinds than are listed';
const UNKNOWN_OTHERS = { request: 'others', message: MORE };
const BROKEN_OTHERS = { operation: 'others', location: 'requests', code: 'others', message: MORE };

/** The calls of an operation whose lifecycle ends, or has not begun. */
interface Use {
  readonly lifecycle: Lifecycle;
  calls: number;
  isPast: boolean;
  readonly callers: Tally<{ readonly name: string }>;
  readonly sessions: Tally<{ readonly name: string }>;
}

export function createCoverage(): Coverage {
  const observed = new Map<string, ObservedOperation>();
  const uses = new Map<string, Use>();
  let requests = 0;
  const unknown = new Tally<Omit<CoverageReport['unknown'][number], 'count'>>(MOST_NAMES, UNKNOWN_OTHERS);
  const violations = new Tally<Omit<CoverageReport['violations'][number], 'count'>>(MOST_NAMES, BROKEN_OTHERS);

  const observedOf = (operation: Operation, service: Service): ObservedOperation => {
    const known = observed.get(operation.id);
    if (known?.operation === operation) return known;
    const made = new ObservedOperation(operation, service.security?.credentials(operation) ?? []);
    // After a reload the document may declare something else.
    if (known) made.calls = known.calls;
    observed.set(operation.id, made);
    return made;
  };
  const noteBreaches = (exchange: Exchange) => {
    const { match, request } = exchange;
    const operation = match?.operation.id;
    const { unknown: sent, violations: broken } = findBreaches(exchange);
    const subject = operation === undefined ? { request: cut(`${request.method} ${request.path}`) } : { operation };
    for (const message of sent)
      unknown.add(`${operation ?? subject.request} ${message}`, () => ({ ...subject, message: cut(message) }));
    for (const { location, code, message } of broken)
      violations.add(`${operation} ${location} ${code}`, () => ({
        ...{ operation: operation ?? request.method, location: cut(location), code, message: cut(message) },
      }));
  };
  return {
    observe(exchange) {
      const { match, request, response, recalled, service, input } = exchange;
      if (!response || isPreflight(request)) return;
      requests += 1;
      if (hasBreaches(exchange)) noteBreaches(exchange);
      if (!match) return;
      const known = observedOf(match.operation, service);
      known.count(response.status);
      noteUse(uses, exchange, match.operation);
      // The request and the answer that it repeats are known already.
      if (recalled) return;
      if (input) known.visitRequest(request, input);
      visitResponse(known, exchange, response);
    },
    report(service) {
      const operations = service.table.operations.map((operation) => observedOf(operation, service).report());
      const all = [...uses].map(([operation, use]) => ({ use, report: toLifecycleUse(operation, use) }));
      return {
        document: { title: service.document.title },
        requests,
        summary: toCoverageSummary(operations),
        operations,
        unknown: unknown.list(),
        violations: violations.list(),
        deprecated: all.filter(({ use }) => use.lifecycle.deprecated).map(({ report }) => report),
        unstable: all.filter(({ use }) => use.lifecycle.stability !== undefined).map(({ report }) => report),
        sunset: all.filter(({ use }) => use.isPast).map(({ report }) => report),
      };
    },
    clear() {
      requests = 0;
      observed.clear();
      uses.clear();
      unknown.clear();
      violations.clear();
    },
  };
}

/** Notes what an answer has, unless it is damaged or pushed to an extreme. */
function visitResponse(
  known: ObservedOperation,
  { request, problem, preferences, outcome }: Exchange,
  { headers, body, status }: MockResponse,
): void {
  if (body === undefined || request.method === 'HEAD') return;
  const value = problem || preferences.variant ? undefined : outcome?.body;
  known.visitResponse(status, headers['Content-Type'], value, body);
}

/** A browser sends it by itself. */
function isPreflight({ method, headers }: MockRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function cut(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}...` : text;
}

/** Notes who calls an operation that ends or may change. */
function noteUse(uses: Map<string, Use>, { service, session, request }: Exchange, operation: Operation): void {
  const lifecycle = service.lifecycles.get(operation);
  if (lifecycle?.notice === undefined) return;
  const use = uses.get(operation.id) ?? {
    ...{ lifecycle, calls: 0, isPast: false },
    callers: new Tally<{ readonly name: string }>(MOST_CALLERS),
    sessions: new Tally<{ readonly name: string }>(MOST_CALLERS),
  };
  uses.set(operation.id, use);
  use.calls += 1;
  use.isPast ||= lifecycle.sunset !== undefined && session.clock.now() >= lifecycle.sunset * 1000;
  const name = (request.headers['x-mock-consumer'] ?? request.headers['user-agent'] ?? 'unknown').slice(0, MOST_CALLER_CHARACTERS);
  use.callers.add(name, () => ({ name }));
  use.sessions.add(session.name, () => ({ name: session.name }));
}

function toLifecycleUse(operation: string, { lifecycle, calls, isPast, callers, sessions }: Use): LifecycleUse {
  const { sunset, stability, successor } = lifecycle;
  return {
    ...{ operation, calls },
    ...(sunset !== undefined && { sunset: toDay(sunset), isPast }),
    ...(stability !== undefined && { stability }),
    ...(successor !== undefined && { successor }),
    callers: callers.list(),
    sessions: sessions.list(),
  };
}

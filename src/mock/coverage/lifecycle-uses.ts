import type { Lifecycle } from '../../answer/lifecycle/lifecycle.ts';
import { toDay } from '../../base/clock.ts';
import { LIMITS } from '../../base/limits.ts';
import type { Observe } from '../../core/handle/handle.ts';
import type { Operation } from '../../model/operations/operations.ts';
import type { CoverageReport, LifecycleUse } from './coverage-report.ts';
import { Tally } from './tally.ts';

type Exchange = Parameters<Observe>[0];

/** The calls of operations that are deprecated or unstable. */
export class LifecycleUses {
  readonly #deprecated = new UseList();
  readonly #unstable = new UseList();
  readonly #sunset = new UseList();

  /** Notes a call, if the operation is one of these. The clock of its own session decides whether it is past its sunset. */
  note(exchange: Exchange, operation: Operation): void {
    const { service, session, judgement } = exchange;
    const lifecycle = service.lifecycles.get(operation);
    if (lifecycle?.notice === undefined) return;
    const { deprecated, stability, sunset } = lifecycle;
    const isPast = sunset !== undefined && session.clock.now() >= sunset * 1000;
    const call = { exchange, operation: operation.id, lifecycle, isPast };
    if (stability !== undefined) this.#unstable.add(call);
    if (!isPast && deprecated) this.#deprecated.add(call);
    // A request that expects the status rehearses the end.
    if (isPast && !judgement.expected) this.#sunset.add(call);
  }

  report(): Pick<CoverageReport, 'deprecated' | 'unstable' | 'sunset'> {
    return {
      deprecated: this.#deprecated.list(),
      unstable: this.#unstable.list(),
      sunset: this.#sunset.list(),
    };
  }

  clear(): void {
    for (const list of [this.#deprecated, this.#unstable, this.#sunset]) list.clear();
  }
}

const { value: MOST_CALLERS } = LIMITS.coverageCallers;
const MOST_CALLER_CHARACTERS = 100;

interface Call {
  readonly exchange: Exchange;
  readonly operation: string;
  readonly lifecycle: Lifecycle;
  readonly isPast: boolean;
}

/** The calls of one operation. */
interface Use {
  readonly lifecycle: Lifecycle;
  calls: number;
  isPast: boolean;
  readonly callers: Tally<{ readonly name: string }>;
  readonly sessions: Tally<{ readonly name: string }>;
}

/** Calls of one kind, by operation. */
class UseList {
  readonly #uses = new Map<string, Use>();

  add({ exchange: { request, session }, operation, lifecycle, isPast }: Call): void {
    const use = this.#uses.get(operation) ?? toUse(lifecycle);
    this.#uses.set(operation, use);
    use.calls += 1;
    use.isPast ||= isPast;
    const caller = request.headers['x-mock-consumer'] ?? request.headers['user-agent'] ?? 'unknown';
    const name = caller.slice(0, MOST_CALLER_CHARACTERS);
    use.callers.add(name, () => ({ name }));
    use.sessions.add(session.name, () => ({ name: session.name }));
  }

  list(): LifecycleUse[] {
    return [...this.#uses].map(([operation, use]) => toReport(operation, use));
  }

  clear(): void {
    this.#uses.clear();
  }
}

function toUse(lifecycle: Lifecycle): Use {
  const [callers, sessions] = [
    new Tally<{ readonly name: string }>(MOST_CALLERS),
    new Tally<{ readonly name: string }>(MOST_CALLERS),
  ];
  return { lifecycle, calls: 0, isPast: false, callers, sessions };
}

function toReport(operation: string, { lifecycle, calls, isPast, callers, sessions }: Use): LifecycleUse {
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

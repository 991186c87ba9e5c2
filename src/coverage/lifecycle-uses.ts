import { toDay } from '../clock.ts';
import type { Observe } from '../handle/handle.ts';
import type { Lifecycle } from '../lifecycle/lifecycle.ts';
import type { Operation } from '../operations/operations.ts';
import type { CoverageReport, LifecycleUse } from './coverage-report.ts';
import { Tally } from './tally.ts';

/** Clients choose these names, so only so many are counted by themselves. */
const MOST_CALLERS = 50;
const MOST_CALLER_CHARACTERS = 100;

/** The calls of one operation whose lifecycle ends, or has not begun. */
interface Use {
  readonly lifecycle: Lifecycle;
  calls: number;
  isPast: boolean;
  readonly callers: Tally<{ readonly name: string }>;
  readonly sessions: Tally<{ readonly name: string }>;
}

/** The calls of operations that are deprecated or unstable. */
export class LifecycleUses {
  readonly #uses = new Map<string, Use>();

  /** Notes a call, if the operation is one of these. */
  note({ service, session, request }: Parameters<Observe>[0], operation: Operation): void {
    const lifecycle = service.lifecycles.get(operation);
    if (lifecycle?.notice === undefined) return;
    const use = this.#useOf(operation.id, lifecycle);
    use.calls += 1;
    use.isPast ||= lifecycle.sunset !== undefined && session.clock.now() >= lifecycle.sunset * 1000;
    const caller = request.headers['x-mock-consumer'] ?? request.headers['user-agent'] ?? 'unknown';
    const name = caller.slice(0, MOST_CALLER_CHARACTERS);
    use.callers.add(name, () => ({ name }));
    use.sessions.add(session.name, () => ({ name: session.name }));
  }

  report(): Pick<CoverageReport, 'deprecated' | 'unstable' | 'sunset'> {
    const all = [...this.#uses].map(([operation, use]) => ({ use, report: toReport(operation, use) }));
    const list = (isMeant: (use: Use) => boolean) =>
      all.filter(({ use }) => isMeant(use)).map(({ report }) => report);
    return {
      deprecated: list(({ lifecycle }) => lifecycle.deprecated),
      unstable: list(({ lifecycle }) => lifecycle.stability !== undefined),
      sunset: list(({ isPast }) => isPast),
    };
  }

  clear(): void {
    this.#uses.clear();
  }

  #useOf(operation: string, lifecycle: Lifecycle): Use {
    const known = this.#uses.get(operation);
    if (known) return known;
    const [callers, sessions] = [
      new Tally<{ readonly name: string }>(MOST_CALLERS),
      new Tally<{ readonly name: string }>(MOST_CALLERS),
    ];
    const made = { lifecycle, calls: 0, isPast: false, callers, sessions };
    this.#uses.set(operation, made);
    return made;
  }
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

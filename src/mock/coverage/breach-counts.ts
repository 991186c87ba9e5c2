import { LIMITS } from '../../base/limits.ts';
import type { Observe } from '../../core/handle/handle.ts';
import { toBreachText } from '../../core/journal/journal.ts';
import type { ContractViolation, CoverageReport, UnknownUse } from './coverage-report.ts';
import { Tally } from './tally.ts';

const { value: MOST_KINDS } = LIMITS.coverageKinds;
const MOST_MESSAGE_CHARACTERS = 300;
const MORE = 'more kinds than are listed';

/** The breaches of a contract, each with the number of requests that have it. */
export class BreachCounts {
  readonly #unknown = new Tally<Omit<UnknownUse, 'count'>>(MOST_KINDS, { request: 'others', message: MORE });
  readonly #violations = new Tally<Omit<ContractViolation, 'count'>>(MOST_KINDS, {
    ...{ operation: 'others', location: 'requests', code: 'others', message: MORE },
  });

  /** Counts the breaches of a request. */
  note(exchange: Parameters<Observe>[0]): void {
    const { match, request, judgement } = exchange;
    const id = match?.operation.id;
    const target = cut(`${request.method} ${request.path}`);
    const subject = id === undefined ? { request: target } : { operation: id };
    for (const breach of judgement.breaches) {
      const { kind, location, code, message } = breach;
      if (kind === 'unknown') {
        const text = toBreachText(breach);
        this.#unknown.add(`${id ?? target} ${text}`, () => ({ ...subject, message: cut(text) }));
      } else {
        this.#violations.add(`${id} ${location} ${code}`, () => ({
          ...{ operation: id ?? target, location: cut(location), code, message: cut(message) },
        }));
      }
    }
  }

  report(): Pick<CoverageReport, 'unknown' | 'violations'> {
    return { unknown: this.#unknown.list(), violations: this.#violations.list() };
  }

  clear(): void {
    this.#unknown.clear();
    this.#violations.clear();
  }
}

function cut(text: string): string {
  return text.length > MOST_MESSAGE_CHARACTERS ? `${text.slice(0, MOST_MESSAGE_CHARACTERS)}...` : text;
}

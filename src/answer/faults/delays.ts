import { LIMITS } from '../../base/limits.ts';
import { SetupError } from '../../base/problem.ts';
import type { Operation, OperationTable } from '../../model/operations/operations.ts';
import type { Random } from '../../schema/generate/generate.ts';

/** The bounds of a delay, in milliseconds. */
type DelayBounds = readonly [from: number, to: number];

/** A delay that is usually near its median, and sometimes much longer, as in real networks. */
interface LognormalDelay {
  /** Milliseconds. */
  readonly median: number;
  /** The spread of its logarithm: 0.5 makes one in forty 2.7 times as long as the median. */
  readonly sigma: number;
}

/** Milliseconds, a range to pick each delay from, or a lognormal distribution. */
export type Delay = number | DelayBounds | LognormalDelay;

/** A delay of every answer, or delays by operationId or label; `*` stands for all other operations. */
export type DelayOption = Delay | Readonly<Record<string, Delay>>;

/** Every operation that the delays do not name. */
export const ALL_OTHERS = '*';

/** No client waits longer than ten minutes, and a timer of more than 24 days fires at once. */
export const LONGEST_DELAY_MS: number = LIMITS.delay.value;

/** The delays of a service. */
export interface Delays {
  /** Whether no answer waits. */
  readonly none: boolean;
  of(operation: Operation): Delay;
}

/** Builds delays from their option. Throws a SetupError for an unknown operation. */
export function buildDelays(option: DelayOption, table: Pick<OperationTable, 'find' | 'hint'>): Delays {
  const { [ALL_OTHERS]: others = 0, ...named } = isByOperation(option) ? option : { [ALL_OTHERS]: option };
  const delays = new Map(
    Object.entries(named).map(([name, delay]) => {
      const operation = table.find(name);
      if (operation) return [operation, delay];
      const message = `The delay of ${name} names an unknown operation.${table.hint(name)} "petstore-mock routes" lists the operations.`;
      throw new SetupError('delay-invalid', message, { usage: true });
    }),
  );
  return {
    none: [others, ...delays.values()].every((delay) => longestOf(delay) === 0),
    of: (operation) => delays.get(operation) ?? others,
  };
}

/** Draws the milliseconds of one delay. */
export function drawDelay(delay: Delay, random: Random): number {
  if (typeof delay === 'number') return delay;
  if (isLognormal(delay)) {
    const drawn = delay.median * Math.exp(delay.sigma * drawNormal(random));
    return Math.min(drawn, LONGEST_DELAY_MS);
  }
  const [from, to] = delay;
  return from === to ? from : from + random() * (to - from);
}

/** Draws from the standard normal distribution (Box and Muller). */
function drawNormal(random: Random): number {
  // 1 - random() is never 0, which has no logarithm.
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function isByOperation(option: DelayOption): option is Readonly<Record<string, Delay>> {
  return typeof option === 'object' && !Array.isArray(option) && !isLognormal(option as Delay);
}

/** Whether a delay is lognormal. An operation may have the name `median`, but not `sigma` beside it. */
export function isLognormal(delay: unknown): delay is LognormalDelay {
  return typeof delay === 'object' && delay !== null && 'median' in delay && 'sigma' in delay;
}

function longestOf(delay: Delay): number {
  if (typeof delay === 'number') return delay;
  return isLognormal(delay) ? delay.median : delay[1];
}

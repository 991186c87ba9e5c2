import { LIMITS, TEXT_SHARE } from '../../base/limits.ts';

/** Options that make json-schema-faker count its work, and stop when that is too much. */
interface BudgetOptions {
  readonly propAliases: Record<string, string>;
  readonly outputTransform: (value: unknown) => unknown;
}

/** The work that one answer may still cost, in all attempts to make it. */
export interface Work {
  left: number;
}

/** Counts the work on one value. */
export interface WalkBudget {
  readonly options: BudgetOptions;
  /** Whether the value became larger than an answer may be, and was given up. */
  readonly isTooLarge: boolean;
}

/** The schemas that may be walked for each value: references, alternatives and their parts are schemas of their own. */
const STEPS = 4;

/** The values that may be made for one answer, in all attempts. */
const ATTEMPTED = 3;

export function createWork(): Work {
  return { left: ATTEMPTED * STEPS * LIMITS.answerValues.value };
}

/**
 * Creates a budget for one value. The library has no limit of its own, and treats an error in an alternative as a reason to try the
 * next one. It lists the aliases at each schema that it walks, so a list that throws from then on ends all of them at once.
 */
export function createWalkBudget(work: Work): WalkBudget {
  let steps = 0;
  let made = 0;
  const isTooLarge = () => steps > STEPS * LIMITS.answerValues.value || made > LIMITS.answerValues.value;
  const check = () => {
    if (work.left <= 0 || isTooLarge()) throw new RangeError('The value is too large');
  };
  const propAliases = new Proxy<Record<string, string>>(
    {},
    {
      ownKeys() {
        steps += 1;
        work.left -= 1;
        check();
        return [];
      },
    },
  );
  return {
    options: {
      propAliases,
      outputTransform(value) {
        made += sizeOf(value);
        check();
        return value;
      },
    },
    get isTooLarge() {
      return isTooLarge();
    },
  };
}

/** The size of a value without its members, which are counted before it. At its deepest, the library fills lists with nulls. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / TEXT_SHARE);
  return Array.isArray(value) && value[0] === null ? value.length : 1;
}

import { createRandom, type Random } from '../../schema/generate/generate.ts';

/** The ways to answer operations whose sunset has passed: as before, with a growing share of refusals, or not at all. */
export const SUNSET_MODES = ['warn', 'brownout', 'gone'] as const;
export type SunsetMode = (typeof SUNSET_MODES)[number];

/** The brownouts of one session, in which an operation past its sunset refuses some requests. */
export interface Brownout {
  /** Decides about the next request of an operation, this many milliseconds after its sunset. */
  refuses(operationId: string, overdue: number): boolean;
}

const FIRST_SHARE = 0.1;
const FULL_AFTER_MS = 30 * 24 * 60 * 60 * 1000;

/** Creates the brownouts of a fresh session. The same seed and requests get the same decisions. */
export function createBrownout(seed: string): Brownout {
  const chances = new Map<string, Random>();
  return {
    refuses(operationId, overdue) {
      const chance = chances.get(operationId) ?? createRandom(`${seed}:brownout:${operationId}`);
      chances.set(operationId, chance);
      return chance() < FIRST_SHARE + (1 - FIRST_SHARE) * (overdue / FULL_AFTER_MS);
    },
  };
}

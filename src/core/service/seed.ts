import { createHash } from 'node:crypto';

/** The number of a seed: itself, or one that follows from a text. */
export function toSeedNumber(seed: number | string): number {
  if (typeof seed === 'number') return seed;
  return createHash('sha256').update(seed).digest().readUIntBE(0, 6);
}

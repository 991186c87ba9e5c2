import { onceLoaded } from '../../base/once.ts';
import type { GenerateRealistic } from './property-hint.ts';

/** The generator of realistic values, which takes long to load. */
export interface Realism {
  /** Loads it; `undefined` once it is loaded. */
  ready(): Promise<void> | undefined;
  /** Throws an `Error` before it is loaded. */
  readonly generate: GenerateRealistic;
}

/** Creates the source of realistic values. Dates lie around the beginning of `year`. */
export function createRealism(year: number): Realism {
  let loaded: GenerateRealistic | undefined;
  const load = onceLoaded(async () => {
    const { createRealistic } = await import('./realistic-values.ts');
    loaded = createRealistic(year);
  });
  return {
    ready: () => (loaded ? undefined : load()),
    generate(field, seeds, kind) {
      if (!loaded) throw new Error('Realistic values are asked for before they are loaded');
      return loaded(field, seeds, kind);
    },
  };
}

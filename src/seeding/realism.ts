import type { GenerateRealistic } from './property-hint.ts';
import { loadRealistic } from './realistic-values.ts';

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
  let loading: Promise<void> | undefined;
  return {
    ready() {
      if (loaded) return undefined;
      loading ??= loadRealistic(year).then((generate) => {
        loaded = generate;
      });
      return loading;
    },
    generate(field, seeds, kind) {
      if (!loaded) throw new Error('Realistic values are asked for before they are loaded');
      return loaded(field, seeds, kind);
    },
  };
}

import { currentYear } from '../../base/clock.ts';
import type { Document } from '../../document/document.ts';
import type { SchemaChecker } from '../../schema/schema.ts';
import { createRealism, type Realism } from '../../state/seeding/seeding.ts';
import { buildGenerate, type Generate } from './generate.ts';

/** The generators of values. Realistic ones need `realism` to be ready, plain ones need nothing. */
export interface Generators {
  readonly plain: Generate;
  readonly realistic: Generate;
  readonly realism: Realism;
}

/** Builds both generators of a document. */
export function buildGenerators(
  { root: { components } }: Document,
  schemas: SchemaChecker,
  seed: number,
): Generators {
  const year = currentYear();
  const realism = createRealism(year);
  return {
    plain: buildGenerate({ schemas, components, seed, year }),
    realistic: buildGenerate({ schemas, components, seed, year, realism }),
    realism,
  };
}

import type { ValidateFunction } from 'ajv';
import type { Follow, Followers } from './keywords.ts';
import { isObject } from './reader.ts';

/** From this depth of references on, what was found out about an object is remembered for the rest of a check. */
const SHALLOW = 3;

/**
 * Followers that compile a schema with the first value that comes to it. Alternatives that refer to each other would look at a
 * nested object again for each of them, so that the time doubled at each level; remembered, it is looked at once.
 */
export function createFollowers(
  targetOf: (reference: string) => ValidateFunction,
  compile: (schema: unknown) => ValidateFunction,
): Followers & { /** Forgets the values of a check. */ forget(): void } {
  const byReference = new Map<string, Follow>();
  const used: Map<object, boolean>[] = [];
  let depth = 0;
  const create = (find: () => ValidateFunction): Follow => {
    const known = new Map<object, boolean>();
    let target: ValidateFunction | undefined;
    const decide = (value: unknown): boolean => {
      target ??= find();
      depth += 1;
      const valid = target(value);
      depth -= 1;
      return valid;
    };
    return (value) => {
      if (depth < SHALLOW || !isObject(value)) return decide(value);
      const before = known.get(value);
      if (before !== undefined) return before;
      if (known.size === 0) used.push(known);
      // A schema that asks this about itself, of the same value, adds nothing to it.
      known.set(value, true);
      const valid = decide(value);
      known.set(value, valid);
      return valid;
    };
  };
  return {
    ofReference(reference) {
      const follow = byReference.get(reference) ?? create(() => targetOf(reference));
      byReference.set(reference, follow);
      return follow;
    },
    ofSchema: (schema) => create(() => compile(schema)),
    forget() {
      for (const known of used) known.clear();
      used.length = 0;
      depth = 0;
    },
  };
}

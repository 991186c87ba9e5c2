import type { ValidateFunction } from 'ajv';
import { once } from '../base/once.ts';
import type { Follow, Followers } from './keywords.ts';
import { isObject } from './reference.ts';

/** Below this depth of references, the verdict on an object is remembered for the rest of a check. */
const SHALLOW = 3;
/** Below this depth, that on any other value too. Real documents lead there with few of them. */
const DEEP = 10;

type Compile<T> = (source: T) => ValidateFunction;

interface CheckFollowers extends Followers {
  /** Ends a check: drops its verdicts. */
  forget(): void;
}

/**
 * Followers that compile a schema with its first value. Without remembered verdicts, alternatives that refer to each other would
 * check a nested object once each, and the time would double at each level.
 */
export function createFollowers(targetOf: Compile<string>, compile: Compile<unknown>): CheckFollowers {
  // Unbounded: a document has only so many references.
  const byReference = new Map<string, Follow>();
  const used: Map<unknown, boolean>[] = [];
  let depth = 0;
  const create = (find: () => ValidateFunction): Follow => {
    const known = new Map<unknown, boolean>();
    const target = once(find);
    const decide = (value: unknown): boolean => {
      depth += 1;
      const valid = target()(value);
      depth -= 1;
      return valid;
    };
    return (value) => {
      if (depth < SHALLOW || (depth < DEEP && !isObject(value))) return decide(value);
      const before = known.get(value);
      if (before !== undefined) return before;
      if (known.size === 0) used.push(known);
      // A schema that refers to itself for the same value adds nothing.
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

import { LIMITS } from '../../base/limits.ts';
import type { Schema, SchemaNode } from '../../schema/schema.ts';

/** Makes the values from which a value is assembled. */
interface MemberParts {
  /** Makes a whole value; `undefined` if that fails. */
  readonly make: (schema: SchemaNode, name: string) => unknown;
}

/** A value, and the number of values in it. */
interface Made {
  readonly value: unknown;
  readonly count: number;
}

/** The different values of one schema. Further uses repeat them, or the time would double at each level with two members of a kind. */
const DIFFERENT = 3;

const { value: DEEPEST } = LIMITS.answerDepth;

/**
 * Assembles a value from values of its members, for a schema without a whole value. Leaves out optional members if it becomes too
 * large. Returns `undefined` for a schema without members.
 */
export function generateByMember(parts: MemberParts, schema: SchemaNode, name: string): unknown {
  for (const isWhole of [true, false]) {
    const made = createMemberMaker(parts, isWhole)(schema, name);
    if (!made || made.count <= LIMITS.answerValues.value) return made?.value;
  }
  return undefined;
}

type MakeMade = (schema: SchemaNode, name: string) => Made | undefined;

function createMemberMaker({ make }: MemberParts, isWhole: boolean): MakeMade {
  const above = new Set<Schema>();
  const build = (schema: SchemaNode, name: string): Made | undefined => {
    const { keywords, types } = schema;
    if (above.has(keywords) || above.size > DEEPEST) return undefined;
    above.add(keywords);
    try {
      if (types.includes('object') || schema.properties.size > 0) return buildObject(schema, name);
      return types.includes('array') ? buildList(schema, name) : undefined;
    } finally {
      above.delete(keywords);
    }
  };
  const buildObject = (schema: SchemaNode, name: string): Made => {
    const required = new Set(schema.required);
    const members = [...schema.properties].flatMap(([property, member]) => {
      const made = isWhole || required.has(property) ? buildMember(member, `${name} ${property}`) : undefined;
      return made ? [[property, made] as const] : [];
    });
    return assemble(
      members.map(([, made]) => made),
      Object.fromEntries(members.map(([property, { value }]) => [property, value])),
    );
  };
  const buildList = ({ items, keywords }: SchemaNode, name: string): Made => {
    const least = Math.min(Number(keywords.minItems ?? 0), LIMITS.answerValues.value);
    const made = items
      ? Array.from({ length: least }, (_, index) => buildMember(items, `${name} ${index}`))
      : [];
    const found = made.filter((each) => each !== undefined);
    return assemble(
      found,
      found.map(({ value }) => value),
    );
  };
  const buildMember = withRepeats((schema, name) => {
    const whole = make(schema, name);
    return whole === undefined ? build(schema, name) : { value: whole, count: countValues(whole) };
  });
  return build;
}

/** Makes `DIFFERENT` values of each schema, and then repeats them. */
function withRepeats(make: MakeMade): MakeMade {
  const known = new Map<Schema, { readonly values: Made[]; uses: number }>();
  return (schema, name) => {
    const { keywords } = schema;
    const entry = known.get(keywords) ?? { values: [], uses: 0 };
    known.set(keywords, entry);
    entry.uses += 1;
    if (entry.values.length >= DIFFERENT) return entry.values[entry.uses % DIFFERENT];
    const made = make(schema, name);
    if (made) entry.values.push(made);
    return made;
  };
}

/** A value with its members, and the values in all of them. */
function assemble(members: readonly Made[], value: unknown): Made {
  return { value, count: members.reduce((sum, { count }) => sum + count, 1) };
}

/** Counts the values in a value, with a stack because a value may be deep. */
function countValues(value: unknown): number {
  let count = 0;
  const stack = [value];
  while (stack.length > 0) {
    const next = stack.pop();
    count += 1;
    if (typeof next === 'object' && next !== null) for (const each of Object.values(next)) stack.push(each);
  }
  return count;
}

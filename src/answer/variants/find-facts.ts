import { isObject, type Schema, type SchemaNode, type SchemaNodes } from '../../schema/schema.ts';

/** The parts of a schema that describe one value: of alternatives, only the one that the value matches. */
export interface Facts {
  readonly definitions: readonly Schema[];
  readonly members: SchemaNodes;
  /** The members that an answer may show. */
  readonly shown: SchemaNodes;
  readonly required: ReadonlySet<string>;
  /** The names of the members that choose among alternatives. */
  readonly discriminators: ReadonlySet<string>;
  /** The schema of each item; `undefined` if there is none, or one for each position. */
  readonly items: SchemaNode | undefined;
  /** The schema of the members without one of their own. */
  readonly others: SchemaNode | undefined;
}

/** Finds the facts that describe a value. */
export type FindFacts = (node: SchemaNode, value: unknown) => Facts;

/** Alternatives within alternatives are followed this deep. */
const DEEPEST = 8;

/** Creates a finder that reads each schema once. */
export function createFactsFinder(isValid: (node: SchemaNode, value: unknown) => boolean): FindFacts {
  const known = new WeakMap<SchemaNode, Facts & { readonly branches: readonly SchemaNode[] }>();
  const find = ({ target }: SchemaNode, value: unknown, depth: number): Facts => {
    const own = known.get(target) ?? { ...readFacts(target), branches: target.branches };
    known.set(target, own);
    if (own.branches.length === 0 || depth > DEEPEST) return own;
    const branch = own.branches.find((each) => isValid(each, value));
    return branch ? join(own, find(branch, value, depth + 1)) : own;
  };
  return (node, value) => find(node, value, 0);
}

function readFacts(node: SchemaNode): Facts {
  const { conjuncts } = node;
  const definitions = conjuncts.map(({ definition }) => definition);
  return {
    definitions,
    members: node.properties,
    shown: new Map([...node.properties].filter(([, member]) => !member.isMarked('writeOnly'))),
    required: new Set(node.required),
    discriminators: new Set(definitions.flatMap(toDiscriminator)),
    items: conjuncts.findLast(({ definition }) => isObject(definition.items))?.items,
    others: conjuncts.findLast(({ definition }) => isObject(definition.additionalProperties))
      ?.additionalProperties,
  };
}

function toDiscriminator({ discriminator }: Schema): string[] {
  const name = isObject(discriminator) ? discriminator.propertyName : undefined;
  return typeof name === 'string' ? [name] : [];
}

function join(one: Facts, other: Facts): Facts {
  return {
    definitions: [...one.definitions, ...other.definitions],
    members: new Map([...other.members, ...one.members]),
    shown: new Map([...other.shown, ...one.shown]),
    required: new Set([...one.required, ...other.required]),
    discriminators: new Set([...one.discriminators, ...other.discriminators]),
    items: one.items ?? other.items,
    others: one.others ?? other.others,
  };
}

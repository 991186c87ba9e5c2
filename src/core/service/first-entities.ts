import { indexNames, type Resource, type ResourceModel } from '../../model/resources/resources.ts';
import { createRandom } from '../../schema/generate/generate.ts';
import { isObject, type Schema, type SchemaNode } from '../../schema/schema.ts';
import type { Entity } from '../../state/store/store.ts';
import type { InitialState } from './initial-state.ts';

/** A generated answer that should show entities that clients can find again. */
interface ShowQuestion {
  readonly schema: SchemaNode;
  /** The values of the request that the answer repeats, by name. */
  readonly echoes: Readonly<Record<string, unknown>>;
  /** The name of the answer. It decides which entities appear when the values of the request select none. */
  readonly name: string;
}

/** Replaces made-up entities in a generated value by the first entities of the resource with the same component. */
export type ShowEntities = (question: ShowQuestion, value: unknown) => unknown;

export function buildShowEntities(
  { resources }: ResourceModel,
  initial: Pick<InitialState, 'of'>,
): ShowEntities {
  const bySchema = new Map<Schema, Resource>();
  for (const resource of resources.values())
    if (resource.key && !bySchema.has(resource.schema.keywords))
      bySchema.set(resource.schema.keywords, resource);
  // Skip resources with writeOnly members, which would have to be left out at every depth.
  const find = (schema: Schema) => {
    const found = bySchema.get(schema);
    return found?.schema.hasMarkedMember('writeOnly') ? undefined : found;
  };
  return (question, value) => {
    const takers = new Map<Resource, () => Entity | undefined>();
    const take = (resource: Resource) => {
      const own = takers.get(resource) ?? createTaker(resource, initial, question);
      takers.set(resource, own);
      return own();
    };
    const show = (schema: SchemaNode | undefined, made: unknown): unknown => {
      if (!schema || !isObject(made)) return made;
      if (Array.isArray(made)) return made.map((item) => show(schema.items, item));
      const resource = find(schema.keywords);
      if (resource) return take(resource) ?? made;
      const members = [...schema.allProperties].filter(([name]) => Object.hasOwn(made, name));
      return { ...made, ...Object.fromEntries(members.map(([name, own]) => [name, show(own, made[name])])) };
    };
    return bySchema.size === 0 ? value : show(question.schema, value);
  };
}

/** Takes one entity after the other: those with the values of the request, or simply the first ones if it has none. */
function createTaker(
  resource: Resource,
  initial: Pick<InitialState, 'of'>,
  { echoes, name }: ShowQuestion,
): () => Entity | undefined {
  const nameOf = indexNames(resource.properties);
  const { parameter, property } = resource.key ?? { parameter: '', property: '' };
  const wanted = Object.entries(echoes).flatMap(([each, value]) => {
    const own = each === parameter ? property : nameOf(each);
    return own === undefined ? [] : [[own, String(value)] as const];
  });
  const all = Array.from(initial.of(resource.name)?.entries ?? [], ([, entity]) => entity);
  const found = all.filter((entity) => wanted.every(([own, text]) => String(entity[own]) === text));
  const isFirst = Object.keys(echoes).length === 0 || wanted.length > 0;
  let next = isFirst ? 0 : Math.floor(createRandom(`${name} shown`)() * found.length);
  let left = found.length;
  return () => {
    if (left === 0) return undefined;
    left -= 1;
    return found[next++ % found.length];
  };
}

import type { Operation } from '../../model/operations/operations.ts';
import type { Resource } from '../../model/resources/resources.ts';
import { indexNames } from '../../model/resources/resources.ts';
import { createRandom } from '../../schema/generate/generate.ts';
import type { ExampleParts } from './entity-examples.ts';

/** Picks one of the values that the lists of a resource filter a property by; `undefined` where they name none. */
export type PickFilterValue = (resource: Resource, property: string, seed: string) => unknown;

/** Builds a function that picks values for properties whose own schema does not say which values there are. */
export function buildPickFilterValue({ operations, model }: ExampleParts): PickFilterValue {
  const known = new Map<Resource, ReadonlyMap<string, readonly unknown[]>>();
  const listsOf = (resource: Resource) =>
    operations.filter(({ id }) => {
      const action = model.actions.get(id);
      return action?.name === 'list' && action.resource === resource;
    });
  const valuesOf = (resource: Resource) => {
    const found = known.get(resource) ?? collectValues(resource, listsOf(resource));
    known.set(resource, found);
    return found;
  };
  return (resource, property, seed) => {
    const values = valuesOf(resource).get(property);
    return values?.[Math.floor(createRandom(`${seed} filter`)() * values.length)];
  };
}

function collectValues(
  { properties }: Resource,
  lists: readonly Operation[],
): ReadonlyMap<string, readonly unknown[]> {
  const nameOf = indexNames(properties);
  const found = lists
    .flatMap(({ parameters }) => parameters)
    .filter((parameter) => parameter.in === 'query')
    .flatMap(({ name, schema }) => {
      const property = nameOf(name.replace(/\[\]$/, ''));
      const values = [schema, schema.items].flatMap((each) => each?.keywords.enum ?? []).filter(isOne);
      return property === undefined || values.length === 0 ? [] : [[property, values] as const];
    });
  return new Map(found);
}

/** Whether a value of a filter stands for itself, and not for all values or none. */
function isOne(value: unknown): boolean {
  return value !== null && value !== '' && !/^(all|any|both|none)$/i.test(String(value));
}

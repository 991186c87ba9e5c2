import type { Operation } from '../../model/operations/operations.ts';
import type { Resource } from '../../model/resources/resources.ts';
import type { SchemaChecker } from '../../schema/schema.ts';
import { isObject } from '../../schema/schema.ts';
import { buildListParameters, type ListFilter, type ListInput } from '../../state/actions/actions.ts';
import type { Entity } from '../../state/store/store.ts';

/** The values of query parameters with which a list shows an entity, or the name of a parameter that takes no such value. */
type ListValues = { readonly values: Readonly<Record<string, unknown>> } | { readonly unfit: string };

/**
 * Chooses values for the parameters by which a list always selects: those that are required or have a default. Any made-up value
 * would hide the entity.
 */
export function toListValues(
  schemas: SchemaChecker,
  operation: Operation,
  resource: Resource,
  entity: Entity | undefined,
): ListValues {
  const { filters, search, page, offset, cursor } = buildListParameters(operation, resource);
  const starts = [page, offset, cursor].flatMap((each) => (each?.path && each.required ? [each] : []));
  const wanted = [
    ...filters.map((filter) => ({ parameter: filter.parameter, value: findSelected(filter, entity) })),
    ...starts.map((parameter) => ({ parameter, value: undefined })),
    ...(search ? [{ parameter: search, value: findText(entity) }] : []),
  ].filter(({ parameter }) => isAlwaysRead(parameter));
  const values: Record<string, unknown> = {};
  for (const { parameter, value } of wanted) {
    // The values of the other members of an object would be made up.
    const fitting = parameter.path ? undefined : toFittingValue(schemas, parameter, value);
    if (fitting === undefined) return { unfit: parameter.name };
    values[parameter.name] = fitting;
  }
  return { values };
}

function isAlwaysRead({ required, schema }: ListInput): boolean {
  return required || schema.keywords.default !== undefined;
}

function toFittingValue(schemas: SchemaChecker, { schema }: ListInput, value: unknown): unknown {
  if (value === undefined || value === null || isObject(value)) return undefined;
  const listed = schema.types.includes('array') ? [value] : value;
  try {
    return schemas.check(schema, listed, '').length === 0 ? listed : undefined;
  } catch {
    // The schema does not compile. Loading has reported that.
    return undefined;
  }
}

/** The value by which a filter selects an entity; `undefined` for a bound that its own value is beyond. */
function findSelected({ property, member, bound }: ListFilter, entity: Entity | undefined): unknown {
  const value = entity?.[property];
  if (bound?.strict) return undefined;
  const [first] = [value].flat();
  return member === undefined ? value : isObject(first) ? first[member] : undefined;
}

function findText(entity: Entity | undefined): unknown {
  return Object.values(entity ?? {}).find((value) => typeof value === 'string' && value !== '');
}

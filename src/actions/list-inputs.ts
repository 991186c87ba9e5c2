import type { Parameter } from '../operations/operations.ts';
import { toSnake } from '../resources/resources.ts';
import type { SchemaNode } from '../schema/schema.ts';
import { memberOf } from './json-object.ts';

/** A value in the query of a list: of a declared parameter, or of a member of one that is an object. */
export interface ListInput extends Pick<Parameter, 'name' | 'schema' | 'required'> {
  /** The parameter and the members that lead to the value; absent where the parameter itself has it. */
  readonly path?: readonly string[];
}

/** The inputs of a query parameter: its members where it is an object, else itself. `properties` name the members of a filter that lists none. */
export function toListInputs(parameter: Parameter, properties: readonly string[]): ListInput[] {
  const { members, name, schema } = parameter;
  if (members === undefined || !schema.types.includes('object')) return [parameter];
  const declared = schema.sharedProperties;
  if (declared.size === 0 && members === 'bracketed' && FILTER.test(toSnake(name)))
    return properties.map((property) => toMember({ ...parameter, path: [name] }, property, schema, members));
  return toMembers({ ...parameter, path: [name] }, members, MOST_LEVELS);
}

const FILTER = /^(filters?|where|criteria)$/;

/** `filter[price][gte]` has two. */
const MOST_LEVELS = 2;

type Inner = ListInput & { readonly path: readonly string[] };

function toMembers(input: Inner, style: Parameter['members'], levels: number): ListInput[] {
  return [...input.schema.sharedProperties].flatMap(([name, schema]) => {
    const member = toMember(input, name, schema, style);
    const deeper = style === 'bracketed' && levels > 1 && schema.sharedProperties.size > 0;
    return deeper ? toMembers(member, style, levels - 1) : [member];
  });
}

function toMember(input: Inner, name: string, schema: SchemaNode, style: Parameter['members']): Inner {
  return {
    name: style === 'own' ? name : `${input.name}[${name}]`,
    path: [...input.path, name],
    schema: input.schema === schema ? (schema.additionalProperties ?? schema.at([name])) : schema,
    required: input.required && input.schema.required.includes(name),
  };
}

/** The value of an input, or its default if the request has none. */
export function readListInput(query: unknown, { name, path = [name], schema }: ListInput): unknown {
  return path.reduce(memberOf, query) ?? schema.keywords.default;
}

import type { Parameter } from '../../model/operations/operations.ts';
import { toSnake } from '../../model/resources/resources.ts';
import type { SchemaNode } from '../../schema/schema.ts';
import { memberOf } from './json-object.ts';

/** A value in the request of a list: of a declared parameter, or of a member of one that is an object, or of the body. */
export interface ListInput extends Pick<Parameter, 'name' | 'schema'> {
  /** Whether the parameter or the body that has it must be given. */
  readonly required: boolean;
  /** The parameter and the members that lead to the value; absent where the parameter itself has it. */
  readonly path?: readonly string[];
  /** Whether the body has it, as the criteria of a search. */
  readonly inBody?: boolean;
}

/** The inputs that a body has: its members. */
export function toBodyInputs(body: SchemaNode | undefined): ListInput[] {
  return [...(body?.sharedProperties ?? [])].flatMap(([name, schema]) => {
    const input = { name, schema, path: [name], required: true };
    const group = FILTER.test(toSnake(name)) && schema.sharedProperties.size > 0;
    const inputs = group ? toMemberInputs(input, 'bracketed', MOST_LEVELS) : [input];
    return inputs.map((each) => ({ ...each, inBody: true }));
  });
}

/** The inputs of a query parameter: its members where it is an object, else itself. `properties` name the members of a filter that lists none. */
export function toListInputs(parameter: Parameter, properties: readonly string[]): ListInput[] {
  const { members, name, schema } = parameter;
  if (members === undefined || !schema.types.includes('object')) return [parameter];
  const declared = schema.sharedProperties;
  if (declared.size === 0 && members === 'bracketed' && FILTER.test(toSnake(name)))
    return properties.map((property) => toMember({ ...parameter, path: [name] }, property, schema, members));
  return toMemberInputs({ ...parameter, path: [name] }, members, MOST_LEVELS);
}

const FILTER = /^(filters?|where|criteria)$/;

/** `filter[price][gte]` has two. */
const MOST_LEVELS = 2;

type Inner = ListInput & { readonly path: readonly string[] };

function toMemberInputs(input: Inner, style: Parameter['members'], levels: number): ListInput[] {
  return [...input.schema.sharedProperties].flatMap(([name, schema]) => {
    const member = toMember(input, name, schema, style);
    const deeper = style === 'bracketed' && levels > 1 && schema.sharedProperties.size > 0;
    return deeper ? toMemberInputs(member, style, levels - 1) : [member];
  });
}

function toMember(input: Inner, name: string, schema: SchemaNode, style: Parameter['members']): Inner {
  return {
    name: style === 'own' ? name : `${input.name}[${name}]`,
    path: [...input.path, name],
    schema: input.schema === schema ? (schema.additionalProperties ?? schema.at([name])) : schema,
    required: input.required,
  };
}

/** The parts of a request that have the inputs of a list. */
export interface ListSource {
  readonly query: unknown;
  readonly body: unknown;
}

/** Reads the value of an input, or its default if the request has none. */
type ReadValue = (source: ListSource) => unknown;

/** Builds the reader of an input. */
export function buildReadValue({ name, path = [name], schema, inBody }: ListInput): ReadValue {
  const usual = schema.keywords.default;
  const [first = name, ...others] = path;
  const start: ReadValue = ({ query, body }) => memberOf(inBody ? body : query, first);
  if (others.length === 0) return (source) => start(source) ?? usual;
  return (source) => others.reduce(memberOf, start(source)) ?? usual;
}

import { MULTIPART, URL_ENCODED } from '../wire/codecs/codecs.ts';
import { SWAGGER_KEYWORDS } from './format.ts';
import { define, isMapping, type Mapping } from './mapping.ts';
import { resolveQuietly } from './sanitize-reference.ts';
import { below, type Here, report, toMistake } from './unit.ts';

/**
 * Joins the body parameters of an operation to one body where the format does not allow them: Swagger allows one or a form, OpenAPI 3
 * none, but tools that write both formats leave them there. Parameters behind references are not joined.
 */
export function joinBodyParameters(operation: Mapping, method: string, here: Here): Mapping {
  if (!Array.isArray(operation.parameters) || !WITH_BODY.has(method)) return operation;
  const separated = separateForm(operation, operation.parameters, here);
  const parameters = separated.parameters as readonly unknown[];
  const bodies = pickIn(parameters, 'body');
  return here.walk.format.places.includes('body')
    ? joinInSwagger(separated, parameters, bodies, here)
    : moveToRequestBody(separated, parameters, bodies, here);
}

/** Leaves out a body beside a file, which only a form can carry. Beside any other field, leaves out the fields. */
function separateForm(operation: Mapping, parameters: readonly unknown[], here: Here): Mapping {
  const declared = parameters.map((each) => resolveQuietly(each, here)?.node);
  const fields = pickIn(declared, 'formData');
  const bodies = pickIn(declared, 'body');
  if (fields.length === 0 || bodies.length === 0) return operation;
  const hasFile = fields.some(({ type }) => type === 'file');
  const [kept, dropped] = hasFile ? [fields, bodies] : [bodies, fields];
  const isIgnored = dropped.length === 1 ? 'is ignored' : 'are ignored';
  const reason = `an operation takes a body or a form, so ${toNames(dropped)} ${isIgnored} beside ${toNames(kept)}`;
  note(here, reason, 'Declare the parameters of its body all "in: formData", or as one "in: body".');
  return {
    ...operation,
    parameters: parameters.filter((_, at) => !dropped.includes(declared[at] as Mapping)),
    ...(hasFile && { consumes: [MULTIPART] }),
  };
}

function toNames(parameters: readonly Mapping[]): string {
  return parameters.map(({ name }) => `"${name}"`).join(', ');
}

const WITH_BODY: ReadonlySet<string> = new Set(['post', 'put', 'patch', 'delete']);

function joinInSwagger(
  operation: Mapping,
  parameters: readonly unknown[],
  bodies: readonly Mapping[],
  here: Here,
): Mapping {
  const names = new Set(bodies.map(({ name }) => name));
  // Two bodies of one name are duplicates.
  if (bodies.length < 2 || names.size < bodies.length) return operation;
  const reason = `the operation has ${bodies.length} body parameters, so they are the members of one body`;
  note(here, reason, 'Declare one body parameter whose schema has them as properties.');
  const body = { name: 'body', in: 'body', required: isAnyRequired(bodies), schema: toObjectSchema(bodies) };
  const [first] = bodies;
  return {
    ...operation,
    parameters: parameters.flatMap((each) =>
      each === first ? [body] : bodies.includes(each as Mapping) ? [] : [each],
    ),
  };
}

function moveToRequestBody(
  operation: Mapping,
  parameters: readonly unknown[],
  bodies: readonly Mapping[],
  here: Here,
): Mapping {
  const fields = pickIn(parameters, 'formData');
  const moved = bodies.length > 0 ? bodies : fields;
  if (moved.length === 0) return operation;
  const [only, ...others] = bodies;
  const schema = only && others.length === 0 ? toMemberSchema(only) : toObjectSchema(moved);
  const types = bodies.length > 0 ? ['application/json'] : [URL_ENCODED, MULTIPART];
  const content = Object.fromEntries(types.map((type) => [type, { schema }]));
  const isDeclared = operation.requestBody !== undefined && operation.requestBody !== null;
  const effect = isDeclared ? 'is ignored beside the requestBody' : 'is taken as the requestBody';
  note(
    here,
    `a parameter cannot be in the body, so it ${effect}`,
    'Declare the body as the requestBody alone.',
  );
  return {
    ...operation,
    parameters: parameters.filter(
      (each) => !bodies.includes(each as Mapping) && !fields.includes(each as Mapping),
    ),
    ...(!isDeclared && { requestBody: { required: isAnyRequired(moved), content } }),
  };
}

function pickIn(parameters: readonly unknown[], place: string): Mapping[] {
  return parameters.filter(
    (each): each is Record<string, unknown> =>
      isMapping(each) && each.in === place && typeof each.name === 'string',
  );
}

function isAnyRequired(parameters: readonly Mapping[]): boolean {
  return parameters.some(({ required }) => required === true);
}

function toObjectSchema(parameters: readonly Mapping[]): Mapping {
  const properties = {};
  for (const each of parameters) define(properties, String(each.name), toMemberSchema(each));
  const required = parameters.filter((each) => each.required === true).map(({ name }) => name);
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** The schema of a parameter, with the keywords beside it. */
function toMemberSchema(parameter: Mapping): unknown {
  const beside = Object.entries(parameter).filter(([key]) => SWAGGER_KEYWORDS.has(key));
  const { schema = {} } = parameter;
  if (!isMapping(schema) || schema.$ref !== undefined) return schema;
  const file = parameter.type === 'file' && { type: 'string', format: 'binary' };
  return { ...Object.fromEntries(beside), ...file, ...schema };
}

function note(here: Here, reason: string, remedy: string): void {
  const { walk, unit } = here;
  const mistake = toMistake(below(here, 'parameters'), 'parameter-invalid', reason, remedy);
  report(walk, 'changed', unit.label, mistake);
}

import { type ReadBody, readBody } from './body.ts';
import type { MockRequest } from './message.ts';
import type { Match, Operation } from './operations.ts';
import { coerceParameter, type Parameter, type ParameterPlace } from './parameters.ts';
import { Problem, type Violation, violationProblem } from './problem.ts';
import type { SchemaChecker } from './schemas.ts';

/** A valid request's values, typed as the document declares them. Absent parameters are `undefined`. */
export interface Input {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** What a request carries before it is validated: raw parameter values by place and name, and the body as read. */
export interface RawInput {
  readonly parameters: readonly (readonly string[] | undefined)[];
  readonly body: ReadBody | undefined;
}

/** Collects what the operation declares from a request. Throws a Problem for a path or body that cannot be read. */
export function readInput(request: MockRequest, { operation, parameters: path, malformed }: Match): RawInput {
  if (malformed !== undefined) {
    const message = `The path ${request.path} is malformed: "${malformed}" is no percent-encoding.`;
    throw new Problem(400, 'malformed_path', message);
  }
  const query = request.query === '' ? undefined : new URLSearchParams(request.query);
  const readers: Record<ParameterPlace, (name: string) => readonly string[] | undefined> = {
    path: (name) => toList(path[name]),
    query: (name) => (query?.has(name) ? query.getAll(name) : undefined),
    header: (name) => toList(request.headers[name]),
    cookie: (name) => toList(readCookie(request.headers.cookie, name)),
  };
  return {
    parameters: operation.parameters.map((parameter) => readers[parameter.in](parameter.name)),
    body: readBody(operation, request),
  };
}

/** Everything that is wrong with a request. */
export interface Findings {
  readonly parameters: readonly Violation[];
  readonly body: readonly Violation[];
}

/** What compiled schemas find: everything in the compiled lane, the plain parameters in the Prism lane. */
export function findViolations(operation: Operation, raw: RawInput, schemas: SchemaChecker): Findings {
  const parameters = operation.parameters.flatMap((parameter, index) =>
    parameter.plain ? checkParameter(parameter, raw.parameters[index], schemas) : [],
  );
  return { parameters, body: operation.lane === 'compiled' ? checkBody(operation, raw, schemas) : [] };
}

/** The typed input of a valid request. Throws a Problem, 400 for parameters and 422 for the body, for any other. */
export function acceptInput(operation: Operation, raw: RawInput, { parameters, body }: Findings): Input {
  if (parameters.length > 0) throw violationProblem(400, 'invalid_parameter', parameters);
  if (body.length > 0) throw violationProblem(422, 'validation_failed', body);
  return toInput(operation, raw);
}

function checkBody(operation: Operation, { body }: RawInput, schemas: SchemaChecker): Violation[] {
  if (!body) return [];
  const content = operation.body?.contents?.find(({ mediaType }) => mediaType === body.declared);
  return content?.schema ? schemas.check(content.schema, body.value, 'body') : [];
}

function toInput(operation: Operation, raw: RawInput): Input {
  const input = { path: {}, query: {}, header: {}, cookie: {} } as Record<
    ParameterPlace,
    Record<string, unknown>
  >;
  for (const [index, parameter] of operation.parameters.entries()) {
    const values = raw.parameters[index];
    if (values) input[parameter.in][parameter.name] = coerceParameter(parameter, values);
  }
  return { path: input.path, query: input.query, body: raw.body?.value };
}

function checkParameter(
  parameter: Parameter,
  raw: readonly string[] | undefined,
  schemas: SchemaChecker,
): Violation[] {
  const location = `${parameter.in}.${parameter.name}`;
  if (!raw) return parameter.required ? [{ location, message: 'is required' }] : [];
  if (raw.length > 1 && !parameter.array) return [{ location, message: 'must be given only once' }];
  const value = coerceParameter(parameter, raw);
  const big = [value].flat().find((item) => typeof item === 'bigint');
  return big === undefined
    ? schemas.check(parameter.schema, value, location)
    : checkBig(big, parameter, location);
}

const INT64_LIMIT = 2n ** 63n;

/** Validators compare numbers; an integer that no number holds exactly is compared here, digit for digit. */
function checkBig(value: bigint, { schema }: Parameter, location: string): Violation[] {
  const { format, maximum, minimum } = schema;
  // ±(2^53 - 1) is no limit of the document: the conversion writes it for every int64.
  const within =
    format !== 'int32' &&
    value >= -INT64_LIMIT &&
    value < INT64_LIMIT &&
    (typeof maximum !== 'number' || maximum === Number.MAX_SAFE_INTEGER || value <= maximum) &&
    (typeof minimum !== 'number' || minimum === Number.MIN_SAFE_INTEGER || value >= minimum);
  return within
    ? []
    : [{ location, message: `must be an integer within ${format === 'int32' ? 'int32' : 'int64'}` }];
}

function toList(value: string | undefined): readonly string[] | undefined {
  return value === undefined ? undefined : [value];
}

function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const [key, ...rest] = pair.split('=');
    if (key?.trim() === name) return rest.join('=').trim();
  }
  return undefined;
}

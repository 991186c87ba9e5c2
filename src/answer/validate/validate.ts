import { isInt64 } from '../../base/number.ts';
import { Problem, type Violation } from '../../base/problem.ts';
import type {
  Input,
  Match,
  Operation,
  Parameter,
  ParameterPlace,
  ParameterReading,
} from '../../model/operations/operations.ts';
import type { SchemaChecker } from '../../schema/schema.ts';
import type { MockRequest } from '../../wire/message/message.ts';
import { createBodyReader, type ReadBody } from './body.ts';
import type { EntitySchemaOf } from './undeclared-body.ts';

export { BODY_LIMIT } from './body.ts';
export type { EntitySchemaOf } from './undeclared-body.ts';
export { buildFindUnknown, type FindUnknown, type UnknownInput } from './unknown-input.ts';

/** The input of a request before validation: the reading of each declared parameter, and the body. */
export interface RawInput {
  readonly parameters: readonly (ParameterReading | undefined)[];
  readonly body: ReadBody | undefined;
  readonly query: URLSearchParams | undefined;
}

/** Reads the declared input of a request, asynchronously for some bodies. Throws a Problem for a malformed path or body. */
export type ReadInput = (request: MockRequest, match: Match) => RawInput | Promise<RawInput>;

/** Reads the input of any operation of a document. */
export function createInputReader(entityOf: EntitySchemaOf): ReadInput {
  const readBody = createBodyReader(entityOf);
  return (request, { operation, parameters: path, malformed }) => {
    if (malformed !== undefined) {
      const message = `The path ${request.path} is malformed: "${malformed}" is not a percent-encoding.`;
      throw new Problem(400, 'malformed_path', message);
    }
    const query = request.query === '' ? undefined : new URLSearchParams(request.query);
    const source = {
      path,
      query,
      headers: request.headers,
      declared: operation.parameters,
    };
    const parameters = operation.parameters.map((parameter) => parameter.read(source));
    const body = readBody(operation, request);
    const withBody = (read: RawInput['body']): RawInput => ({ parameters, body: read, query });
    return body instanceof Promise ? body.then(withBody) : withBody(body);
  };
}

/** The violations of a request. */
interface RequestViolations {
  readonly parameters: readonly Violation[];
  readonly body: readonly Violation[];
}

/** Validates the input of a request against the document. */
export function findViolations(
  operation: Operation,
  raw: RawInput,
  schemas: SchemaChecker,
): RequestViolations {
  let parameters: Violation[] | undefined;
  const declared = operation.parameters;
  for (let index = 0; index < declared.length; index++) {
    const found = checkParameter(declared[index] as Parameter, raw.parameters[index], schemas);
    if (found.length > 0) parameters = [...(parameters ?? []), ...found];
  }
  return { parameters: parameters ?? NO_VIOLATIONS, body: checkBody(raw, schemas) };
}

const NO_VIOLATIONS: readonly Violation[] = [];

function checkBody({ body }: RawInput, schemas: SchemaChecker): readonly Violation[] {
  return body?.schema ? schemas.check(body.schema, body.value, 'body') : NO_VIOLATIONS;
}

/** The typed values of a valid request. */
export function toInput(operation: Operation, raw: RawInput): Input {
  const values: Record<ParameterPlace, Record<string, unknown>> = {
    path: {},
    query: {},
    header: {},
    cookie: {},
  };
  const declared = operation.parameters;
  for (let index = 0; index < declared.length; index++) {
    const { in: place, name } = declared[index] as Parameter;
    const reading = raw.parameters[index];
    if (reading && 'value' in reading) values[place][name] = reading.value;
  }
  const { path, query, header, cookie } = values;
  return { path, query, header, cookie, body: raw.body?.value };
}

function checkParameter(
  parameter: Parameter,
  reading: ParameterReading | undefined,
  schemas: SchemaChecker,
): readonly Violation[] {
  const { location } = parameter;
  if (!reading)
    return parameter.required && !mayBeNothing(parameter)
      ? [{ location, message: 'is required', code: 'required' }]
      : NO_VIOLATIONS;
  if ('fault' in reading) return [{ location, message: reading.fault, code: 'parameter-malformed' }];
  const { value } = reading;
  if (value === undefined) return NO_VIOLATIONS;
  const isBeyond = Array.isArray(value) ? value.some(isBeyondInt64) : isBeyondInt64(value);
  if (!parameter.whole || !isBeyond) return schemas.check(parameter.schema, value, location);
  const format = parameter.schema.keywords.format === 'int32' ? 'int32' : 'int64';
  return [{ location, message: `must be an integer within ${format}`, code: 'format' }];
}

/** Whether a value may be written as nothing at all: an object whose members are parameters of their own, and none is required. */
function mayBeNothing({ members, schema }: Parameter): boolean {
  return members === 'own' && schema.required.length === 0;
}

/** Whether a value is an integer beyond int64, which every integer parameter refuses. Integers too long for a double are still texts. */
function isBeyondInt64(value: unknown): boolean {
  if (typeof value === 'string') return BEYOND.test(value);
  return (typeof value === 'bigint' || typeof value === 'number') && !isInt64(value);
}

const BEYOND = /^-?[1-9]\d{19,}$/;

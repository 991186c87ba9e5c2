import type { MockRequest } from '../message.ts';
import { isInt64 } from '../number.ts';
import type { Match, Operation, Parameter, ParameterPlace, Reading } from '../operations/operations.ts';
import { Problem, type Violation } from '../problem.ts';
import type { SchemaChecker } from '../schema/schema.ts';
import { createBodyReader, type ReadBody } from './body.ts';

export { BODY_LIMIT } from './body.ts';

/** A valid request's values, typed as the document declares them. Absent parameters are `undefined`. */
export interface Input {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Names in lower case. */
  readonly header: Readonly<Record<string, unknown>>;
  readonly cookie: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** What a request carries before it is validated: what was read for each parameter of the operation, and the body. */
export interface RawInput {
  readonly parameters: readonly (Reading | undefined)[];
  readonly body: ReadBody | undefined;
}

/**
 * Collects what the operation declares from a request, later where the body takes time. Throws a Problem for a path or body
 * that cannot be read.
 */
export type ReadInput = (request: MockRequest, match: Match) => RawInput | Promise<RawInput>;

/** Reads the input of any operation of a document, whose references resolve in `root`. */
export function createInputReader(root: unknown): ReadInput {
  const readBody = createBodyReader(root);
  const parseQuery = createQueryReader();
  return (request, { operation, parameters: path, malformed }) => {
    if (malformed !== undefined) {
      const message = `The path ${request.path} is malformed: "${malformed}" is no percent-encoding.`;
      throw new Problem(400, 'malformed_path', message);
    }
    const source = {
      path,
      query: request.query === '' ? undefined : parseQuery(request.query),
      headers: request.headers,
      declared: operation.parameters,
    };
    const parameters = operation.parameters.map((parameter) => parameter.read(source));
    const body = readBody(operation, request);
    return body instanceof Promise ? body.then((read) => ({ parameters, body: read })) : { parameters, body };
  };
}

const KEPT_QUERIES = 64;
const LONGEST_KEPT_QUERY = 256;

/** Reads queries, and keeps what the last ones said. Nobody may change what it returns. */
function createQueryReader(): (text: string) => URLSearchParams {
  const kept = new Map<string, URLSearchParams>();
  return (text) => {
    const known = kept.get(text);
    if (known) return known;
    const query = new URLSearchParams(text);
    if (text.length > LONGEST_KEPT_QUERY) return query;
    if (kept.size >= KEPT_QUERIES) kept.clear();
    kept.set(text, query);
    return query;
  };
}

/** Everything that is wrong with a request. */
export interface Findings {
  readonly parameters: readonly Violation[];
  readonly body: readonly Violation[];
}

/** Everything in which a request breaks the document. */
export function findViolations(operation: Operation, raw: RawInput, schemas: SchemaChecker): Findings {
  let parameters: Violation[] | undefined;
  for (const [index, reading] of raw.parameters.entries()) {
    const found = checkParameter(operation.parameters[index] as Parameter, reading, schemas);
    if (found.length > 0) parameters ??= [];
    for (const violation of found) parameters?.push(violation);
  }
  return { parameters: parameters ?? NONE, body: checkBody(raw, schemas) };
}

const NONE: readonly Violation[] = [];

function checkBody({ body }: RawInput, schemas: SchemaChecker): readonly Violation[] {
  return body?.content.schema ? schemas.check(body.content.schema, body.value, 'body') : NONE;
}

/** The typed values of a valid request. */
export function toInput(operation: Operation, raw: RawInput): Input {
  const values: Record<ParameterPlace, Record<string, unknown>> = {
    path: {},
    query: {},
    header: {},
    cookie: {},
  };
  for (const [index, reading] of raw.parameters.entries()) {
    const { in: place, name } = operation.parameters[index] as Parameter;
    if (reading && 'value' in reading) values[place][name] = reading.value;
  }
  const { path, query, header, cookie } = values;
  return { path, query, header, cookie, body: raw.body?.value };
}

function checkParameter(
  parameter: Parameter,
  reading: Reading | undefined,
  schemas: SchemaChecker,
): readonly Violation[] {
  const { location } = parameter;
  if (!reading) return parameter.required ? [{ location, message: 'is required' }] : NONE;
  if ('fault' in reading) return [{ location, message: reading.fault }];
  const { value } = reading;
  if (value === undefined) return NONE;
  if (!parameter.whole || ![value].flat().some(isBeyondInt64))
    return schemas.check(parameter.schema, value, location);
  const format = parameter.schema.format === 'int32' ? 'int32' : 'int64';
  return [{ location, message: `must be an integer within ${format}` }];
}

/** Whether a value is an integer that no parameter takes, even if the document sets no bound. A text is one beyond any number. */
function isBeyondInt64(value: unknown): boolean {
  if (typeof value === 'string') return BEYOND.test(value);
  return (typeof value === 'bigint' || typeof value === 'number') && !isInt64(value);
}

const BEYOND = /^-?[1-9]\d{19,}$/;

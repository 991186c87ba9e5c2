import type { Credential } from '../../answer/security/security.ts';
import type { Input } from '../../model/operations/operations.ts';
import { findCode, type Operation, type Parameter } from '../../model/operations/operations.ts';
import type { MockRequest } from '../../wire/message/message.ts';
import type { OperationCoverage, Points } from './coverage-report.ts';
import { ObservedContents } from './observed-contents.ts';
import { SchemaPoint } from './schema-points.ts';

/** The parsed answers of a status. More would hardly show anything new, and cost time. */
const MOST_PARSED = 100;

/** The answers with one status. */
interface ObservedStatus {
  count: number;
  readonly code: string | undefined;
  readonly contents: ObservedContents | undefined;
  parsed: number;
}

/** A parameter, and the parts of its schema that requests have used. */
interface ObservedParameter {
  readonly parameter: Parameter;
  readonly point: SchemaPoint;
}

/** The parts of one operation that requests have used. */
export class ObservedOperation {
  readonly operation: Operation;
  calls = 0;
  readonly #statuses = new Map<number, ObservedStatus>();
  readonly #parameters: readonly ObservedParameter[];
  /** Those of which a request may still show something new. */
  #incomplete: readonly ObservedParameter[];
  readonly #request: ObservedContents;
  readonly #responses: ReadonlyMap<string, ObservedContents>;
  readonly #credentials: readonly Credential[];
  readonly #given = new Set<Credential>();

  constructor(operation: Operation, credentials: readonly Credential[]) {
    this.operation = operation;
    this.#credentials = credentials;
    this.#parameters = operation.parameters.map((parameter) => ({
      parameter,
      point: new SchemaPoint(parameter.schema),
    }));
    this.#incomplete = this.#parameters;
    this.#request = new ObservedContents(operation.body?.contents ?? []);
    this.#responses = new Map(
      operation.responses.map(({ code, contents }) => [code, new ObservedContents(contents)]),
    );
  }

  /** Counts an answer. */
  count(status: number): void {
    this.calls += 1;
    this.#statusOf(status).count += 1;
  }

  /** Notes what a valid request has. */
  visitRequest(request: MockRequest, input: Input): void {
    let isNews = false;
    for (const { parameter, point } of this.#incomplete) {
      const value = input[parameter.in][parameter.name];
      if (value === undefined) continue;
      point.visit(value);
      isNews ||= point.isComplete;
    }
    if (isNews) this.#incomplete = this.#incomplete.filter(({ point }) => !(point.seen && point.isComplete));
    if (this.#given.size < this.#credentials.length)
      for (const credential of this.#credentials)
        if (credential.judge(request) === 'given') this.#given.add(credential);
    if (input.body !== undefined) this.#request.visit(request.headers['content-type'], () => input.body);
  }

  /** Notes what an answer has: its value, or its text where no value is known. */
  visitResponse(status: number, mediaType: string | undefined, value: unknown, text: unknown): void {
    const observed = this.#statusOf(status);
    observed.contents?.visit(mediaType, () => value ?? parse(observed, text));
  }

  /** Lists all points of the operation. */
  report(): OperationCoverage {
    const { id, method, path, codes } = this.operation;
    const request = this.#request.list('request', '');
    const responses = [...this.#responses].map(([code, contents]) => ({
      code,
      ...contents.list(code, `${code} `),
    }));
    // An error counts by its status.
    const successes = responses.filter(isSuccess);
    const seen = new Set([...this.#statuses.values()].map(({ code }) => code));
    const parameters = this.#parameters.map(({ parameter, point }) => ({
      location: parameter.location,
      point,
    }));
    const enums = parameters.flatMap(({ location, point }) =>
      [...point.list().values].map(([name, isSeen]): [string, boolean] => [location + name, isSeen]),
    );
    return {
      ...{ id, method, path, calls: this.calls },
      statuses: Object.fromEntries([...this.#statuses].map(([status, { count }]) => [status, count])),
      points: {
        statuses: Object.fromEntries(codes.map((code) => [code, seen.has(code)])),
        parameters: Object.fromEntries(parameters.map(({ location, point }) => [location, point.seen])),
        requestProperties: request.properties,
        responseProperties: join(successes.map(({ properties }) => properties)),
        enumValues: join([
          Object.fromEntries(enums),
          request.values,
          ...successes.map(({ values }) => values),
        ]),
        mediaTypes: join([request, ...successes].map(({ mediaTypes }) => mediaTypes)),
        securitySchemes: Object.fromEntries(
          this.#credentials.map((credential) => [credential.name, this.#given.has(credential)]),
        ),
      },
    };
  }

  #statusOf(status: number): ObservedStatus {
    const known = this.#statuses.get(status);
    if (known) return known;
    // Nothing was answered where the status is 0.
    const code = status === 0 ? undefined : findCode(this.operation, status);
    const made = { count: 0, code, contents: this.#responses.get(code ?? ''), parsed: 0 };
    this.#statuses.set(status, made);
    return made;
  }
}

function isSuccess({ code }: { readonly code: string }): boolean {
  return code.startsWith('2');
}

function parse(observed: ObservedStatus, text: unknown): unknown {
  if (typeof text !== 'string' || observed.parsed >= MOST_PARSED) return undefined;
  observed.parsed += 1;
  try {
    return JSON.parse(text);
  } catch {
    // In another format, only the media type counts.
    return undefined;
  }
}

function join(parts: readonly Points[]): Points {
  return Object.assign({}, ...parts) as Points;
}

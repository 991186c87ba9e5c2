import type { IHttpConfig, IHttpRequest, IHttpResponse } from '@stoplight/prism-http';
import type { Either } from 'fp-ts/Either';
import type { DocumentRoot, HttpResponse } from './document.ts';
import { toHeaderName } from './headers.ts';
import type { MockRequest, MockResponse } from './message.ts';
import type { Operation } from './operations.ts';
import { examplesOf, type PrismOperation, toPrismOperation, toPrismRequest } from './prism-operation.ts';
import { Problem, type Violation, violationProblem } from './problem.ts';
import { notAcceptable } from './respond.ts';

/** What Prism is asked for: nothing else in `src/` knows it. */
export interface Prism {
  /** The Prism lane. Throws a Problem, 400 for parameters and 422 for the body, that names everything that is wrong. */
  validate(operation: Operation, request: MockRequest, body: unknown): Promise<void>;
  /** Chooses media type and example of one response by Accept. Throws a Problem, 404 or 406, if there is none. */
  negotiate(operation: Operation, response: HttpResponse, wanted: Wanted): Promise<Negotiated>;
  /** Everything in which an answer does not hold to the document. */
  judge(operation: Operation, request: MockRequest, response: MockResponse): Promise<Violation[]>;
}

export interface Wanted {
  readonly status: number;
  readonly accept: string | undefined;
  /** The name of an example; else the first one is taken. */
  readonly example: string | undefined;
}

export interface Negotiated {
  readonly status: number;
  readonly mediaType: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Prism over the operations of one document, imported now: it takes a good part of a second. */
export async function createPrism(root: DocumentRoot): Promise<Prism> {
  // By way of `default`, which is all that a bundled CommonJS module has.
  const { createInstance } = (await import('@stoplight/prism-http')).default;
  const prepared = new WeakMap<Operation, PrismOperation>();
  const prepare = (operation: Operation): PrismOperation => {
    const known = prepared.get(operation) ?? toPrismOperation(root, operation, operation.responses);
    prepared.set(operation, known);
    return known;
  };

  /** One call of Prism. Its own router would sort and match all operations, so it is handed the one at hand. */
  const call = async (resource: PrismOperation, request: IHttpRequest, config: Call) => {
    const { answer } = config;
    const instance = createInstance(config.settings, {
      logger: SILENT as never,
      route: () => right(resource),
      ...(answer && { mock: () => () => right(answer) }),
    });
    const result = await instance.request(request, [resource])();
    if (result._tag === 'Left') throw result.left;
    return result.right;
  };

  return {
    async validate(operation, request, body) {
      const settings = { ...SETTINGS, validateRequest: true, mock: { dynamic: false } };
      const { validations } = await call(prepare(operation), toPrismRequest(operation, request, body), {
        settings,
        answer: { statusCode: operation.successStatus },
      });
      const violations = validations.input.map((finding) => toViolation(finding));
      const ofParameters = violations.filter(({ location }) => !location.startsWith('body'));
      if (ofParameters.length > 0) throw violationProblem(400, 'invalid_parameter', ofParameters);
      if (violations.length > 0) throw violationProblem(422, 'validation_failed', violations);
    },

    async negotiate(operation, response, { status, accept, example }) {
      // Prism would fall back to another status when this one does not fit, so it is shown no other.
      const resource = toPrismOperation(root, operation, [{ ...response, code: String(status) }]);
      // The media types go into the call's own settings: Prism would keep the first request's Accept for ever.
      const mediaTypes =
        accept === undefined || accept === '' ? undefined : accept.split(',').map((type) => type.trim());
      const mock = {
        dynamic: false,
        ...(mediaTypes && { mediaTypes }),
        ...(example && { exampleKey: example }),
      };
      try {
        const { output } = await call(resource, toPrismRequest(operation, EMPTY_REQUEST, undefined), {
          settings: { ...SETTINGS, mock },
        });
        return toNegotiated(output, response);
      } catch (error) {
        throw toNegotiationProblem(error, operation, resourceExamples(root, response), {
          status,
          accept,
          example,
        });
      }
    },

    async judge(operation, request, response) {
      const json = /json/i.test(response.headers['Content-Type'] ?? '');
      const body = json && response.body !== undefined ? JSON.parse(response.body) : response.body;
      const settings = { ...SETTINGS, validateResponse: true, mock: { dynamic: false } };
      const { validations } = await call(prepare(operation), toPrismRequest(operation, request, undefined), {
        settings,
        answer: { statusCode: response.status, headers: { ...response.headers }, body },
      });
      return validations.output.map((finding) => toViolation(finding));
    },
  };
}

interface Call {
  readonly settings: IHttpConfig;
  /** The answer to judge, in place of one of Prism's. */
  readonly answer?: IHttpResponse;
}

interface Finding {
  readonly message: string;
  readonly path?: readonly (string | number)[];
}

const SETTINGS = {
  isProxy: false as const,
  checkSecurity: false,
  validateRequest: false,
  validateResponse: false,
  errors: false,
  mock: { dynamic: false },
  upstreamProxy: undefined,
};

const noop = (): void => {};
const SILENT: Record<string, unknown> = {
  success: noop,
  info: noop,
  warn: noop,
  error: noop,
  debug: noop,
  trace: noop,
  fatal: noop,
  child: () => SILENT,
};

const EMPTY_REQUEST: MockRequest = { method: 'GET', path: '/', query: '', headers: {} };

function right<T>(value: T): Either<never, T> {
  return { _tag: 'Right', right: value };
}

function toHeaderValue(value: string): string {
  return HEADER_VALUE.test(value) ? value : encodeURI(value);
}

const HEADER_VALUE = /^[\t\x20-\x7e]*$/;

function toNegotiated(output: IHttpResponse, response: HttpResponse): Negotiated {
  const { 'Content-type': mediaType, deprecation: _, ...headers } = output.headers ?? {};
  // For a header without an example Prism makes a value up, which is worth sending only where it must be there.
  const worthy = new Set(
    (response.headers ?? [])
      .filter(({ required, examples = [] }) => required || examples.length > 0)
      .map(({ name }) => name),
  );
  return {
    status: output.statusCode,
    mediaType: (response.contents ?? []).length === 0 ? undefined : mediaType,
    headers: Object.fromEntries(
      Object.entries(headers)
        .filter(([name, value]) => worthy.has(name) && value !== null)
        // An example in the document may hold what a header cannot.
        .map(([name, value]) => [toHeaderName(name), toHeaderValue(String(value))]),
    ),
    body: output.body,
  };
}

function toNegotiationProblem(
  error: unknown,
  operation: Operation,
  offered: ReadonlyMap<string, readonly string[]>,
  { status, accept, example }: Wanted,
): unknown {
  const { status: kind } = error as { status?: unknown };
  const types = [...offered.keys()].join(', ');
  if (kind === 406) return notAcceptable(operation, accept, [...offered.keys()]);
  if (kind === 404) {
    const names = [...new Set([...offered.values()].flat())].join(', ') || 'none';
    const message = `${operation.id} has no example "${example}" for ${status} as ${types}. It has: ${names}.`;
    return new Problem(404, 'example_not_found', message);
  }
  return error;
}

/** The names of the examples, by media type. */
function resourceExamples(root: DocumentRoot, { contents = [] }: HttpResponse): Map<string, string[]> {
  return new Map(
    contents.map((content) => [content.mediaType, examplesOf(root, content).map(({ key }) => key)]),
  );
}

function toViolation({ message, path }: Finding): Violation {
  const [place = 'request', ...steps] = path ?? [];
  return { location: [place, ...steps].join('.'), message };
}

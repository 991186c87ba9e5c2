import type { IHttpConfig, IHttpRequest, IHttpResponse } from '@stoplight/prism-http';
import type { Either } from 'fp-ts/Either';
import type { DocumentRoot, HttpResponse } from './document.ts';
import { toHeaderName } from './headers.ts';
import type { MockRequest, MockResponse } from './message.ts';
import type { Operation } from './operations.ts';
import { examplesOf, type PrismOperation, toPrismOperation, toPrismRequest } from './prism-operation.ts';
import { Problem, type Violation } from './problem.ts';
import type { Findings } from './validator.ts';

/** What Prism is asked for: nothing else in `src/` knows it. */
export interface Prism {
  /** What Prism finds wrong with a request, but for its plain parameters. */
  validate(operation: Operation, request: MockRequest, body: unknown): Promise<Findings>;
  /** Takes an example of one response, with its headers. Throws a 404 Problem if there is none by the wanted name. */
  negotiate(operation: Operation, response: HttpResponse, wanted: Wanted): Promise<Negotiated>;
  /** Everything in which an answer does not hold to the document. */
  judge(operation: Operation, request: MockRequest, response: MockResponse): Promise<Violation[]>;
}

export interface Wanted {
  readonly status: number;
  /** One of the media types that the response declares; `undefined` where it declares none. */
  readonly mediaType: string | undefined;
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
      const isOfBody = ({ location }: Violation) => location.startsWith('body');
      return {
        parameters: violations.filter((violation) => !isOfBody(violation)),
        body: violations.filter(isOfBody),
      };
    },

    async negotiate(operation, response, { status, mediaType, example }) {
      // Prism would fall back to another status when this one does not fit, so it is shown no other.
      const resource = toPrismOperation(root, operation, [{ ...response, code: String(status) }]);
      const mock = {
        dynamic: false,
        // Into the call's own settings: Prism would keep the first request's Accept for ever.
        ...(mediaType !== undefined && { mediaTypes: [mediaType] }),
        ...(example && { exampleKey: example }),
      };
      try {
        const { output } = await call(resource, toPrismRequest(operation, EMPTY_REQUEST, undefined), {
          settings: { ...SETTINGS, mock },
        });
        return toNegotiated(output, response);
      } catch (error) {
        throw toNegotiationProblem(error, root, operation, response, { status, mediaType, example });
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
  const line = value.trim();
  return HEADER_VALUE.test(line) ? line : encodeURI(line);
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
  root: DocumentRoot,
  operation: Operation,
  { contents = [] }: HttpResponse,
  { status, mediaType, example }: Wanted,
): unknown {
  if ((error as { status?: unknown }).status !== 404) return error;
  const names = new Set(contents.flatMap((content) => examplesOf(root, content)).map(({ key }) => key));
  const known = [...names].join(', ') || 'none';
  const message = `${operation.id} has no example "${example}" for ${status} as ${mediaType}. It has: ${known}.`;
  return new Problem(404, 'example_not_found', message);
}

function toViolation({ message, path }: Finding): Violation {
  const [place = 'request', ...steps] = path ?? [];
  return { location: [place, ...steps].join('.'), message };
}

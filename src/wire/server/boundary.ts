import { Problem, toErrorBody, toProblem } from '../../base/problem.ts';
import {
  type Client,
  isHost,
  type MockRequest,
  type MockResponse,
  toSendable,
  withContent,
} from '../message/message.ts';
import { createAddressedResponse } from './addressed-response.ts';
import { toTransmitted } from './transmitted-response.ts';

type Answer = (request: MockRequest, client?: Client) => MockResponse | Promise<MockResponse>;

interface BoundaryParts {
  /** Answers a request. It may throw and reject. */
  readonly answer: Answer;
  /** Writes a problem outside of any operation. */
  readonly refuse: (problem: Problem, origin: string | undefined) => MockResponse;
  readonly onError: ((error: unknown) => void) | undefined;
}

/** Answers requests, even after an unexpected error. */
interface Boundary {
  /** Answers 500 after an error. Neither throws nor rejects. */
  readonly answer: Answer;
  /** The same as a Response of the Fetch API with this URL. Nothing is carried out, and no stream goes on, once the signal is aborted. */
  respond(request: MockRequest, url: string, signal?: AbortSignal): Promise<Response>;
  /** Builds the answer to a request that is not carried out. Does not throw. */
  refuse(status: number, code: string, message: string, origin?: string): MockResponse;
  /** Hands an error to `onError`. Does not throw. */
  report(error: unknown): void;
}

/** Builds the last boundary between a mock and its adapters. No error of the mock or of a callback gets past it. */
export function createBoundary(parts: BoundaryParts): Boundary {
  const report = buildReport(parts.onError);
  const refuse = (status: number, code: string, message: string, origin?: string) => {
    const problem = new Problem(status, code, message);
    try {
      return toSendable(parts.refuse(problem, origin));
    } catch (error) {
      report(error);
      return withContent(status, {}, 'application/json', JSON.stringify(toErrorBody(problem)));
    }
  };
  const fail = (error: unknown, { headers }: MockRequest): MockResponse => {
    report(error);
    const { status, code, message } = toProblem(error);
    return refuse(status, code, message, headers.origin);
  };
  const answer: Answer = (request, client) => {
    try {
      const response = parts.answer(request, client);
      return response instanceof Promise ? response.catch((error) => fail(error, request)) : response;
    } catch (error) {
      return fail(error, request);
    }
  };
  return {
    answer,
    refuse,
    report,
    async respond(request, url, signal) {
      const { host = '', origin } = request.headers;
      if (!isHost(host)) return toResponse(refuse(...WRONG_HOST, origin), url);
      const response = await answer(request, signal && toClient(signal));
      if (response.transmission)
        return toTransmitted(response, response.transmission, { url, signal, report });
      try {
        return toResponse(response, url);
      } catch (error) {
        return toResponse(fail(error, request), url);
      }
    },
  };
}

function toClient(signal: AbortSignal): Client {
  return { isGone: () => signal.aborted, isConnected: false, signal };
}

const WRONG_HOST = [400, 'malformed_request', 'The Host is not a host name.'] as const;

/** A promise absorbs whatever `onError` throws or rejects with. */
function buildReport(onError: BoundaryParts['onError']): Boundary['report'] {
  return (error) => {
    Promise.resolve(error)
      .then(onError)
      .catch(() => {});
  };
}

function toResponse({ status, headers, body }: MockResponse, url: string): Response {
  return createAddressedResponse(
    (body as string | Uint8Array<ArrayBuffer>) ?? null,
    { status, headers },
    url,
  );
}

import type { CheckOptions, CheckReport } from './check/check.ts';
import { buildCors, type Cors } from './cors.ts';
import type { Handled } from './handle/handle.ts';
import { type Exchanged, type JournalEntry, sizeOf, toJournalEntry } from './handle/handle.ts';
import { createJournal } from './journal.ts';
import type { MockRequest, MockResponse } from './message.ts';
import { Problem, SetupError } from './problem.ts';
import { withHeaders } from './respond/respond.ts';
import { type Listening, readFetch, serve } from './server/server.ts';
import type { MockOptions, ServiceOptions } from './service/service.ts';
import {
  buildWorld,
  type DocumentInfo,
  type OperationInfo,
  type ResourceInfo,
  readOptions,
  toDocumentInfo,
  toOperationInfo,
  toResourceInfo,
  type World,
} from './service/service.ts';
import { BODY_LIMIT } from './validate/validate.ts';

export interface ListenOptions {
  /** 0, the default, takes a free port. */
  readonly port?: number;
  /** `127.0.0.1` unless given. */
  readonly host?: string;
}

/** A running mock. Two of them in one process share nothing. */
export interface Mock {
  /** Answers a request in process. A path such as `/pets` is enough of a URL. */
  fetch(request: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** Serves over HTTP. Rejects with a SetupError if the port is taken. */
  listen(options?: ListenOptions): Promise<Listening>;
  /** Sets state, counts and chance back to the start, and empties the journal. */
  reset(): void;
  /**
   * Loads everything again, with other options if they are given, and keeps what clients changed as far as it still fits.
   * Resolves to a sentence for each change that was dropped. If it rejects, the mock continues as before. `cors` and
   * `onExchange` stay as they were.
   */
  reload(options?: ServiceOptions): Promise<string[]>;
  /**
   * Proves that the mock holds to its document: every declared answer of every operation, and the life of an entity of
   * every resource. Error rules and delays are left out; the state is the same afterwards.
   */
  check(options?: CheckOptions): Promise<CheckReport>;
  /** Ends every server of this mock once its open requests are answered. */
  close(): Promise<void>;
  readonly document: DocumentInfo;
  readonly operations: readonly OperationInfo[];
  /** What has state. */
  readonly resources: readonly ResourceInfo[];
  /** The files and directories that it was read from. */
  readonly files: readonly string[];
  /** What was asked and answered since the start or the last reset, oldest first: the last 250 exchanges, or 8 MiB of them. */
  readonly journal: readonly JournalEntry[];
}

/** To keep a thousand would cost a quarter of the creations a second: they grow old before they go. */
const JOURNAL_BOUNDS = { entries: 250, size: 8 * 1024 * 1024, sizeOf };

/** Creates a mock. Rejects with a SetupError that lists the mistakes in options, document or fixtures. */
export async function createMock(given: MockOptions = {}): Promise<Mock> {
  const options = readOptions(given);
  let world = await buildWorld(options);
  let cors = options.cors === false ? undefined : buildCorsOf(world);
  const servers = new Set<Listening>();
  let current: ServiceOptions = options;

  const { onExchange } = options;
  const journal = createJournal<Exchanged>(JOURNAL_BOUNDS);
  const answer = (request: MockRequest): MockResponse | Promise<MockResponse> => {
    const started = performance.now();
    const finish = (handled: Handled) => {
      const { response, operation, lifecycle, problem } = handled;
      const exchanged: Exchanged = {
        request,
        response,
        milliseconds: performance.now() - started,
        operation: operation?.id,
        notice: lifecycle?.notice,
        problem,
      };
      journal.record(exchanged);
      onExchange?.(toJournalEntry(exchanged));
      return response;
    };
    const preflight = cors?.preflight(request);
    if (preflight) return finish({ ...UNMATCHED, response: preflight });
    const admission = world.handler.admit(request);
    // A reload may come in between: who was held up is answered by the world that is there then.
    if (admission && admission.delay > 0) {
      return wait(admission.delay)
        .then(() => world.handler.answer(request, admission.problem, cors?.headers))
        .then(finish);
    }
    const handled = world.handler.answer(request, admission?.problem, cors?.headers);
    return handled instanceof Promise ? handled.then(finish) : finish(handled);
  };

  return {
    async fetch(input, init) {
      const response = await answer(await readFetch(input, init, BODY_LIMIT));
      return new Response(response.body ?? null, {
        status: response.status,
        headers: { ...response.headers },
      });
    },
    async listen({ port = 0, host = '127.0.0.1' } = {}) {
      const refuse = (status: number, code: string, message: string) =>
        withCors(world.handler.refuse(new Problem(status, code, message)), cors);
      const listening = await serve({ answer, refuse, bodyLimit: BODY_LIMIT, host, port }).catch(
        (cause: unknown) => {
          throw toListenError(cause, host, port);
        },
      );
      servers.add(listening);
      return listening;
    },
    reset() {
      world.reset();
      journal.clear();
    },
    async reload(changed) {
      const read = changed === undefined ? current : readOptions(changed);
      const next = await buildWorld(read);
      const dropped = await next.inherit(world);
      current = read;
      world = next;
      cors = cors && buildCorsOf(next);
      return dropped;
    },
    async check(options) {
      const { checkWorld } = await import('./check/check.ts');
      return checkWorld(world, options);
    },
    async close() {
      await Promise.all([...servers].map((server) => server.close()));
      servers.clear();
    },
    get document() {
      return toDocumentInfo(world);
    },
    get resources() {
      return [...world.model.resources.values()].map((resource) => toResourceInfo(world, resource));
    },
    get files() {
      return world.files;
    },
    get journal() {
      return journal.entries().map(toJournalEntry);
    },
    get operations() {
      return world.table.operations.map((operation) => toOperationInfo(world, operation));
    },
  };
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

const UNMATCHED = { operation: undefined, lifecycle: undefined, problem: undefined };

/** The headers of ours that a page could not read otherwise. */
const OWN_HEADERS = [
  'Accept',
  'Accept-Encoding',
  'Accept-Patch',
  'Allow',
  'Deprecation',
  'Link',
  'Location',
  'Preference-Applied',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'Warning',
  'X-Mock-Violations',
  'X-Stability',
  'X-Total-Count',
];

function buildCorsOf(world: World): Cors {
  return buildCors([...OWN_HEADERS, ...world.headerNames]);
}

function withCors(response: MockResponse, cors: Cors | undefined): MockResponse {
  return cors ? withHeaders(response, cors.headers) : response;
}

function toListenError(cause: unknown, host: string, port: number): unknown {
  const messages: Record<string, string> = {
    EADDRINUSE: `Port ${port} is taken. Choose another one with --port, or --port 0 for any free one.`,
    EACCES: `You are not allowed to listen on port ${port}. Choose one above 1023 with --port.`,
    EADDRNOTAVAIL: `This machine has no address ${host}. Choose 127.0.0.1 or 0.0.0.0 with --host.`,
    ERR_SOCKET_BAD_PORT: `Invalid port ${port}. Choose one from 0 to 65535 with --port.`,
    ENOTFOUND: `Unknown host ${host}. Choose 127.0.0.1 or 0.0.0.0 with --host.`,
  };
  const message = messages[(cause as NodeJS.ErrnoException).code ?? ''];
  return message === undefined ? cause : new SetupError(message, { cause });
}

import type { CheckOptions, CheckReport } from './check/check.ts';
import { createHandler } from './handle/handle.ts';
import type { JournalEntry } from './journal.ts';
import { petstoreRules } from './petstore/petstore.ts';
import { SetupError } from './problem.ts';
import { createBoundary, type Listening, readFetch, serve } from './server/server.ts';
import type { MockOptions, ServiceOptions } from './service/service.ts';
import {
  buildService,
  createSessions,
  type DocumentInfo,
  type OperationInfo,
  type ResourceInfo,
  readOptions,
  toDocumentInfo,
  toOperationInfo,
  toResourceInfo,
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

/** Creates a mock. Rejects with a SetupError that lists the mistakes in options, document or fixtures. */
export async function createMock(given: MockOptions = {}): Promise<Mock> {
  const options = readOptions(given);
  const sessions = createSessions(await buildService(options, petstoreRules));
  const onExchange = (entry: JournalEntry) => {
    // It is typed as void, and may be an async function all the same.
    const returned: unknown = options.onExchange?.(entry);
    if (typeof returned === 'object') Promise.resolve(returned).catch(boundary.report);
  };
  const handler = createHandler({ sessions, onExchange: options.onExchange && onExchange });
  const boundary = createBoundary({ ...handler, onError: options.onError });
  const servers = new Set<Listening>();
  let current: ServiceOptions = options;
  return {
    async fetch(input, init) {
      return boundary.respond(await readFetch(input, init, BODY_LIMIT));
    },
    async listen({ port = 0, host = '127.0.0.1' } = {}) {
      const serving = serve({ ...boundary, bodyLimit: BODY_LIMIT, host, port });
      const listening = await serving.catch((cause: unknown) => {
        throw toListenError(cause, host, port);
      });
      servers.add(listening);
      return listening;
    },
    reset: sessions.reset,
    async reload(changed) {
      const read = changed === undefined ? current : readOptions(changed);
      const service = await buildService({ ...read, cors: options.cors !== false }, petstoreRules);
      // A session may be used for the first time while this waits, so the entities are made ready in any case.
      await Promise.all([service.initial.ready(), sessions.service.initial.ready()]);
      current = read;
      return sessions.swap(service);
    },
    async check(checkOptions) {
      const { checkService } = await import('./check/check.ts');
      // A session of its own, so that the check neither sees nor changes what clients made.
      const own = createSessions(sessions.service, { undisturbed: true });
      return checkService({ sessions: own, handler: createHandler({ sessions: own }) }, checkOptions);
    },
    async close() {
      await Promise.all([...servers].map((server) => server.close()));
      servers.clear();
    },
    get document() {
      return toDocumentInfo(sessions.service);
    },
    get operations() {
      return sessions.service.table.operations.map((each) => toOperationInfo(sessions.service, each));
    },
    get resources() {
      const { model } = sessions.service;
      return [...model.resources.values()].map((each) => toResourceInfo(sessions.service, each));
    },
    get files() {
      return sessions.service.files;
    },
    get journal() {
      return sessions.use().journal.entries();
    },
  };
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

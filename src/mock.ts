import type { CheckOptions, CheckReport } from './check/check.ts';
import { createControl } from './control/control.ts';
import { type CoverageReport, createCoverage, writeShard } from './coverage/coverage.ts';
import { checkSessionName, createHandler, withSession } from './handle/handle.ts';
import type { JournalEntry } from './journal.ts';
import { LOOPBACK } from './message/message.ts';
import { createMockSession, type MockSession, toEvictionNotice } from './mock-session.ts';
import { once } from './once.ts';
import { petstoreRules } from './petstore/petstore.ts';
import {
  createBoundary,
  findSignal,
  type Listening,
  raceSignal,
  readFetch,
  serve,
  toListenError,
} from './server/server.ts';
import type { MockNotice, MockOptions, Service, ServiceOptions, Sessions } from './service/service.ts';
import {
  buildService,
  createSessions,
  DEFAULT_SESSION,
  type DocumentInfo,
  type InferenceInfo,
  type OperationInfo,
  type ResourceInfo,
  readOptions,
  toDocumentInfo,
  toInferenceInfo,
  toOperationInfos,
  toResourceInfos,
} from './service/service.ts';
import { openStateFile, type StateFile, type StateFileInfo } from './state-file/state-file.ts';
import { BODY_LIMIT } from './validate/validate.ts';

export interface ListenOptions {
  /** 0, the default, picks a free port. */
  readonly port?: number;
  /** `127.0.0.1` unless given. */
  readonly host?: string;
}

/** A running mock, and its default session. Two mocks in one process share nothing. */
export interface Mock extends Omit<MockSession, 'name' | 'end'> {
  /**
   * Answers a request in process. The URL may be a path such as `/pets`. Rejects once the signal of the request is aborted; a
   * request that still waits for a delay is then not carried out.
   */
  fetch(request: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** Serves over HTTP. Rejects with a SetupError if the port is taken. */
  listen(options?: ListenOptions): Promise<Listening>;
  /**
   * A session, which has state, fault counters, chance and a journal of its own. It begins with the fixtures when it is first used.
   * Throws an `Error` for a name that is not 1 to 128 characters of `[A-Za-z0-9._~-]`.
   */
  session(name: string): MockSession;
  /**
   * Loads everything again, with other options if given, and preserves the changes of clients as far as they still fit. Resolves to
   * a sentence for each change that was dropped. If it rejects, the mock continues as before. `cors`, `corsOrigin`
   * and `onExchange` cannot change.
   */
  reload(options?: ServiceOptions): Promise<string[]>;
  /**
   * Proves that the mock conforms to its document: every declared answer of every operation, and the life cycle of an entity of
   * every resource. Ignores faults and delays, and does not change the state. With `against`, asks a provider's server instead.
   */
  check(options?: CheckOptions): Promise<CheckReport>;
  /** Closes every server of this mock once its open requests are answered, and writes the state file for the last time. */
  close(): Promise<void>;
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
  /** The parts of the contract that requests have used since the start, in all sessions. */
  coverage(): CoverageReport;
  readonly document: DocumentInfo;
  readonly operations: readonly OperationInfo[];
  /** A sentence for everything in fixtures and faults that is probably a mistake. */
  readonly warnings: readonly string[];
  /** The resources that have state. */
  readonly resources: readonly ResourceInfo[];
  /** The way in which the operations were understood. Computed at each access. */
  readonly inference: InferenceInfo;
  /** The files and directories that the mock was loaded from. */
  readonly files: readonly string[];
  /** The file of the option `state`. */
  readonly stateFile: StateFileInfo | undefined;
  /** The exchanges since the start or the last reset, oldest first: at most the last 250 (`journal`), or 8 MiB of them. */
  readonly journal: readonly JournalEntry[];
}

/** Creates a mock. Rejects with a SetupError that lists the mistakes in options, document or fixtures. */
export async function createMock(given: MockOptions = {}): Promise<Mock> {
  const options = readOptions(given);
  const { sessions, boundary, coverage } = await connect(options);
  const notify = toNotify(options, boundary.report);
  const stateFile =
    options.state === undefined
      ? undefined
      : await openStateFile(sessions, options.state, { report: boundary.report, notify });
  const leave = once(() => writeShard(coverage.report(sessions.service)));
  const servers = createServers(boundary, stateFile?.keeper, leave);
  const session = (name: string) =>
    createMockSession(sessions, checkSessionName(name), (...asked) => fetchFrom(boundary, ...asked));
  const main = session(DEFAULT_SESSION);
  const { reset, state, seed, snapshot, restore, diff, clock, sunset, verify, waitFor, fail, faults } = main;
  return {
    fetch: (input, init) => fetchFrom(boundary, undefined, input, init),
    ...servers,
    [Symbol.asyncDispose]: servers.close,
    ...{ reset, state, seed, snapshot, restore, diff, clock, sunset, verify, waitFor, fail, faults, session },
    har: main.har,
    stateFile: stateFile?.info,
    reload: createReload(sessions, options, stateFile?.keeper),
    check: (checkOptions) => checkApart(sessions.service, checkOptions),
    coverage: () => coverage.report(sessions.service),
    get document() {
      return toDocumentInfo(sessions.service);
    },
    get operations() {
      return toOperationInfos(sessions.service);
    },
    get warnings() {
      return sessions.service.warnings;
    },
    get resources() {
      return toResourceInfos(sessions.service);
    },
    get inference() {
      return toInferenceInfo(sessions.service);
    },
    get files() {
      return sessions.service.files;
    },
    get journal() {
      return main.journal;
    },
  };
}

/** Builds the service of a mock, its sessions, and the boundary through which every request goes. */
async function connect(options: MockOptions) {
  const sessions = createSessions(await buildService(options, petstoreRules), {
    ...(options.maxSessions !== undefined && { most: options.maxSessions }),
    ...(options.journal !== undefined && { journal: options.journal }),
    onEvict: (eviction) => toNotify(options, boundary.report)(toEvictionNotice(eviction)),
  });
  const onExchange = (entry: JournalEntry) => {
    // Its type is void, but it may still be an async function.
    const returned: unknown = options.onExchange?.(entry);
    if (typeof returned === 'object') Promise.resolve(returned).catch(boundary.report);
  };
  const { control: enabled = true, allowedHosts = [], controlToken: token } = options;
  const coverage = createCoverage();
  const handler = createHandler({
    sessions,
    observe: coverage.observe,
    control: createControl({ sessions, coverage }, { enabled, allowedHosts, token }),
    onExchange: options.onExchange && onExchange,
  });
  const boundary = createBoundary({ ...handler, onError: options.onError });
  return { sessions, boundary, coverage };
}

/** Builds the function that hands a notice to `onNotice`. It does not throw. */
function toNotify({ onNotice }: MockOptions, report: Boundary['report']) {
  return (notice: MockNotice) => {
    Promise.resolve(notice).then(onNotice).catch(report);
  };
}

function createReload(
  sessions: Sessions,
  options: MockOptions,
  keeper: StateFile['keeper'] | undefined,
): Mock['reload'] {
  const { cors = true, corsOrigin = [LOOPBACK] } = options;
  let current: ServiceOptions = options;
  return async (changed) => {
    const read = changed === undefined ? current : readOptions(changed);
    const service = await buildService({ ...read, cors, corsOrigin }, petstoreRules);
    // The sessions may be used for the first time meanwhile, so load the generators of both services.
    await Promise.all([service.initial.ready(), sessions.service.initial.ready()]);
    await keeper?.flush();
    const dropped = sessions.swap(service);
    if (dropped.length > 0) keeper?.backUp();
    current = read;
    return dropped;
  };
}

/** Checks a service in a session of its own, so that it neither sees nor changes the state of clients. */
async function checkApart(service: Service, options: CheckOptions | undefined): Promise<CheckReport> {
  const { checkAgainst, checkService } = await import('./check/check.ts');
  if (options?.against) return checkAgainst(service, options.against, options);
  const sessions = createSessions(service, { undisturbed: true });
  return checkService({ sessions, handler: createHandler({ sessions }) }, options);
}

type Boundary = ReturnType<typeof createBoundary>;

/** Answers a request of `fetch`, in a session unless its path names another one. */
async function fetchFrom(
  boundary: Boundary,
  session: string | undefined,
  ...[input, init]: Parameters<Mock['fetch']>
): Promise<Response> {
  const { request: read, url } = await readFetch(input, init, BODY_LIMIT);
  const request = session === undefined ? read : withSession(read, session);
  const signal = findSignal(input, init);
  signal?.throwIfAborted();
  const answered = boundary.respond(request, url, signal);
  return signal ? raceSignal(signal, answered) : answered;
}

/** Creates the servers of a mock: any number, closed together. The keeper of the state writes for the last time then. */
function createServers(
  boundary: Boundary,
  keeper: StateFile['keeper'] | undefined,
  leave: () => Promise<void>,
): Pick<Mock, 'listen' | 'close'> {
  const servers = new Set<Listening>();
  return {
    async listen({ port = 0, host = '127.0.0.1' } = {}) {
      const serving = serve({ ...boundary, bodyLimit: BODY_LIMIT, host, port });
      const listening = await serving.catch((cause: unknown) => {
        throw toListenError(cause, host, port);
      });
      servers.add(listening);
      return listening;
    },
    async close() {
      // Open requests may take seconds, and the user less patience.
      await Promise.all([keeper?.flush(), ...[...servers].map((server) => server.close())]);
      servers.clear();
      await keeper?.close();
      await leave();
    },
  };
}

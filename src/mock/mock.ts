import { BODY_LIMIT } from '../answer/validate/validate.ts';
import { once } from '../base/once.ts';
import { checkSessionName, createHandler, type OnRecorded, withSession } from '../core/handle/handle.ts';
import type { JournalEntry } from '../core/journal/journal.ts';
import type { MockOptions, Service, ServiceOptions, Sessions } from '../core/service/service.ts';
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
} from '../core/service/service.ts';
import { petstoreRules } from '../petstore/petstore.ts';
import { LOOPBACK } from '../wire/message/message.ts';
import {
  createServers,
  findSignal,
  type Listening,
  type ListenOptions,
  raceSignal,
  readFetch,
} from '../wire/server/server.ts';
import type { CheckOptions, CheckReport } from './check/check.ts';
import { type Connected, connect } from './connect.ts';
import { type CoverageReport, writeShard } from './coverage/coverage.ts';
import { createMockSession, type MockSession, toNotify } from './mock-session.ts';
import type { StateFile, StateFileInfo } from './state-file/state-file.ts';

export type { ListenOptions } from '../wire/server/server.ts';

/** A running mock, and its default session. Two mocks in one process share nothing. */
export interface Mock extends Omit<MockSession, 'name' | 'end'> {
  /**
   * Answers a request in process. The URL may be a path such as `/pets`. Rejects once the signal of the request is aborted; a
   * request that still waits for a delay is then not carried out.
   */
  fetch(request: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** Serves over HTTP. Rejects with a SetupError if the port is taken, or if the mock is closed meanwhile. */
  listen(options?: ListenOptions): Promise<Listening>;
  /**
   * A session, which has state, fault counters, chance and a journal of its own. It begins with the fixtures when it is first used.
   * Throws an `Error` for a name that is not 1 to 128 characters of `[A-Za-z0-9._~-]`.
   */
  session(name: string): MockSession;
  /**
   * Loads everything again, with other options if given, and preserves the changes of clients as far as they still fit. Resolves to
   * a sentence for each change that was dropped. If it rejects, the mock continues as before. Calls are carried out one
   * after the other, so the last one decides. `cors`, `corsOrigin` and `onExchange` cannot change.
   */
  reload(options?: ServiceOptions): Promise<string[]>;
  /**
   * Proves that the mock conforms to its document: every declared answer of every operation, and the life cycle of an entity of
   * every resource. Ignores faults and delays, and does not change the state. With `against`, asks a provider's server instead.
   */
  check(options?: CheckOptions): Promise<CheckReport>;
  /**
   * Closes every server of this mock once its open requests are answered, also one that is about to listen. Waits for the reloads that
   * were called before, and writes the state file. The mock can be used further: `fetch` and `reload` work, and `listen` serves again.
   */
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
export function createMock(options: MockOptions = {}): Promise<Mock> {
  return createWatchedMock(options);
}

/** The same with a function for our own log, which reads exchanges without copying them, unlike `onExchange`. */
export async function createWatchedMock(given: MockOptions, watch?: OnRecorded): Promise<Mock> {
  const options = readOptions(given);
  const connected = await connect(options, watch);
  const { sessions, boundary, coverage } = connected;
  const stateFile = await loadStateFile(sessions, options, boundary);
  const keeper = stateFile?.keeper;
  const servers = createServers({ ...boundary, bodyLimit: BODY_LIMIT });
  const { reload, close } = createLife(connected, options, servers, keeper);
  const session = (name: string) =>
    createMockSession(sessions, checkSessionName(name), (...asked) => fetchFrom(boundary, ...asked));
  const main = session(DEFAULT_SESSION);
  const { reset, state, seed, snapshot, restore, diff, clock, sunset, verify, waitFor, fail, faults } = main;
  return {
    fetch: (input, init) => fetchFrom(boundary, undefined, input, init),
    listen(listenOptions) {
      keeper?.open();
      return servers.listen(listenOptions);
    },
    ...{ reload, close, [Symbol.asyncDispose]: close },
    ...{ reset, state, seed, snapshot, restore, diff, clock, sunset, verify, waitFor, fail, faults, session },
    har: main.har,
    stateFile: stateFile?.info,
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

/** Builds the functions that load a mock again and close it. */
function createLife(
  { sessions, coverage }: Connected,
  options: MockOptions,
  servers: ReturnType<typeof createServers>,
  keeper: StateFile['keeper'] | undefined,
): Pick<Mock, 'reload' | 'close'> {
  const { reload, settled } = createReload(sessions, options, keeper);
  const leave = once(() => writeShard(() => coverage.report(sessions.service)));
  const close = async () => {
    // Open requests may take seconds, and the user less patience.
    await Promise.all([keeper?.flush(), servers.close(), settled()]);
    sessions.wakeAll();
    await keeper?.close();
    await leave();
  };
  return { reload, close };
}

/** Opens the file of the option `state`, and reads the state of the default session from it. */
async function loadStateFile(
  sessions: Sessions,
  options: MockOptions,
  { report }: Boundary,
): Promise<StateFile | undefined> {
  if (options.state === undefined) return undefined;
  const { openStateFile } = await import('./state-file/state-file.ts');
  return openStateFile(sessions, options.state, { report, notify: toNotify(options, report) });
}

/** Builds `reload`, and a promise that resolves once every call so far is carried out. */
function createReload(
  sessions: Sessions,
  options: MockOptions,
  keeper: StateFile['keeper'] | undefined,
): Pick<Mock, 'reload'> & { settled(): Promise<void> } {
  const { cors = true, corsOrigin = [LOOPBACK] } = options;
  let current: ServiceOptions = options;
  const carryOut = async (changed: ServiceOptions | undefined) => {
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
  // A slow reload must not overwrite a later one.
  let last = Promise.resolve();
  return {
    reload(changed) {
      const reloaded = last.then(() => carryOut(changed));
      const settle = () => {};
      last = reloaded.then(settle, settle);
      return reloaded;
    },
    settled: () => last,
  };
}

/** Checks a service in a session of its own, so that it neither sees nor changes the state of clients. */
async function checkApart(service: Service, options: CheckOptions | undefined): Promise<CheckReport> {
  const { checkAgainst, checkService } = await import('./check/check.ts');
  if (options?.against) return checkAgainst(service, options.against, options);
  const sessions = createSessions(service, { undisturbed: true });
  return checkService({ sessions, handler: createHandler({ sessions, isWhole: true }) }, options);
}

type Boundary = Connected['boundary'];

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

import { Problem } from '../../base/problem.ts';
import { createHandler, type Handler } from '../../core/handle/handle.ts';
import {
  buildService,
  createSessions,
  type Service,
  type Session,
  type Sessions,
} from '../../core/service/service.ts';
import { createPathSuggester, type OperationTable } from '../../model/operations/operations.ts';
import { CONTROL_DOCUMENT } from '../../package-files.ts';
import { toJson } from '../../wire/codecs/codecs.ts';
import { type MockRequest, type MockResponse, toContentHeaders } from '../../wire/message/message.ts';
import type { Coverage } from '../coverage/coverage.ts';
import { CONTROL_ACTIONS } from './actions.ts';
import type { Guard } from './guard.ts';

/** Answers control requests, whose paths are those of the control document. `session` is the one that the request names. */
type ControlApi = (request: MockRequest, session: Session) => Promise<MockResponse>;

/** The mock that a control API reads and changes. */
export interface ControlSubject {
  readonly sessions: Sessions;
  readonly coverage: Coverage;
}

/** Creates the control API at its first request. Clients reach it below the prefix of each request. */
export async function createControlApi(subject: ControlSubject, guard: Guard): Promise<ControlApi> {
  const named = new WeakMap<MockRequest, Session>();
  const { own, handler } = await createControlHandler(subject, (request) => named.get(request));
  const { service } = own;
  const findUnknown = createUnknownFinder(service.table);
  return async (request, session) => {
    const refused = guard(request) ?? findUnknown(request);
    if (refused) return handler.refuse(refused);
    if (request.path === DOCUMENT_PATH) return answerDocument(service, request);
    const asked = withoutSession(request);
    named.set(asked, session);
    // Entities that are made up at their first use.
    await session.service.initial.ready();
    return handler.answer(asked);
  };
}

/** The control API as a service with its handler. */
interface ControlHandler {
  readonly own: Sessions;
  readonly handler: Handler;
}

/**
 * Creates the handler of control requests from their own document, so that they are read, checked and answered like any others.
 * `findSession` returns the session that a request means, if it is not the default one.
 */
export async function createControlHandler(
  { sessions, coverage }: ControlSubject,
  findSession: (request: MockRequest) => Session | undefined,
): Promise<ControlHandler> {
  const service = await buildService(
    { spec: CONTROL_DOCUMENT, stateless: true, cors: false, auth: false },
    () => undefined,
  );
  const actions: Service['actions'] = new Map(
    service.table.operations.map((operation) => {
      const carryOut = CONTROL_ACTIONS[operation.id];
      if (!carryOut) throw new Error(`The control API does not carry out ${operation.id}`);
      return [
        operation,
        ({ input, request, mediaType }) =>
          carryOut({
            ...{ sessions, coverage, input, mediaType },
            session: findSession(request) ?? sessions.use(),
          }),
      ];
    }),
  );
  const own = createSessions({ ...service, actions }, { memoryless: true });
  return { own, handler: createHandler({ sessions: own }) };
}

/** A request that names neither a session, because the control API has only one of its own, nor a fault. */
function withoutSession(request: MockRequest): MockRequest {
  const { 'x-mock-session': _, 'x-mock-fault': __, cookie, ...headers } = request.headers;
  return { ...request, headers };
}

const DOCUMENT_PATH = '/openapi.json';

async function answerDocument(service: Service, { prefix = '' }: MockRequest): Promise<MockResponse> {
  const document = JSON.parse(await service.readServed('application/json')) as object;
  const body = toJson({ ...document, servers: [{ url: prefix }] });
  return { status: 200, headers: toContentHeaders('application/json', body), body };
}

/** Finds the 404 Problem for a path that the control API does not have. */
function createUnknownFinder(table: OperationTable): (request: MockRequest) => Problem | undefined {
  const suggest = createPathSuggester(() => [...table.operations.map(({ path }) => path), DOCUMENT_PATH]);
  return ({ path, prefix = '' }) => {
    if (path === DOCUMENT_PATH || isKnown(table, path)) return undefined;
    const meant = suggest(path);
    const hint =
      meant === undefined ? `${prefix}${DOCUMENT_PATH} describes it.` : `Did you mean ${prefix}${meant}?`;
    return new Problem(404, 'path_not_found', `The control API has no path ${prefix}${path}. ${hint}`);
  };
}

function isKnown(table: OperationTable, path: string): boolean {
  try {
    table.allow(path);
    return true;
  } catch {
    return false;
  }
}

import { toJson } from '../codecs/codecs.ts';
import { createHandler } from '../handle/handle.ts';
import { type MockRequest, type MockResponse, toContentHeaders } from '../message/message.ts';
import { type OperationTable, suggestPath } from '../operations/operations.ts';
import { CONTROL_DOCUMENT } from '../package-files.ts';
import { Problem } from '../problem.ts';
import {
  buildService,
  createSessions,
  type Service,
  type Session,
  type Sessions,
} from '../service/service.ts';
import { CONTROL_ACTIONS } from './actions.ts';
import type { Guard } from './guard.ts';

/** Answers control requests, whose paths are those of the control document. `session` is the one that the request names. */
export type ControlApi = (request: MockRequest, session: Session) => Promise<MockResponse>;

/**
 * Creates the control API from its own document, so that its requests are read, checked and answered like any others. `prefix` is the
 * path below which clients reach it.
 */
export async function createControlApi(sessions: Sessions, guard: Guard): Promise<ControlApi> {
  const service = await buildService(
    { spec: CONTROL_DOCUMENT, stateless: true, cors: false, auth: false },
    () => undefined,
  );
  const named = new WeakMap<MockRequest, Session>();
  const actions: Service['actions'] = new Map(
    service.table.operations.map((operation) => {
      const carryOut = CONTROL_ACTIONS[operation.id];
      if (!carryOut) throw new Error(`The control API does not carry out ${operation.id}`);
      return [
        operation,
        ({ input, request }) => carryOut({ sessions, session: named.get(request) as Session, input }),
      ];
    }),
  );
  const handler = createHandler({ sessions: createSessions({ ...service, actions }, { memoryless: true }) });
  return async (request, session) => {
    const refused = guard(request) ?? findUnknown(service.table, request);
    if (request.path === DOCUMENT_PATH && !refused) return answerDocument(service, request);
    if (refused) return handler.refuse(refused);
    const asked = withoutSession(request);
    named.set(asked, session);
    // Entities that are made up at their first use.
    await session.service.initial.ready();
    return handler.answer(asked);
  };
}

/** A request that names no session, because the control API has only one of its own. */
function withoutSession(request: MockRequest): MockRequest {
  const { 'x-mock-session': _, cookie, ...headers } = request.headers;
  return { ...request, headers };
}

const DOCUMENT_PATH = '/openapi.json';

async function answerDocument(service: Service, { prefix = '' }: MockRequest): Promise<MockResponse> {
  const document = JSON.parse(await service.readServed('application/json')) as object;
  const body = toJson({ ...document, servers: [{ url: prefix }] });
  return { status: 200, headers: toContentHeaders('application/json', body), body };
}

/** The 404 Problem for a path that the control API does not have. */
function findUnknown(table: OperationTable, { path, prefix = '' }: MockRequest): Problem | undefined {
  const paths = [...new Set(table.operations.map((operation) => operation.path)), DOCUMENT_PATH];
  if (path === DOCUMENT_PATH || isKnown(table, path)) return undefined;
  const meant = suggestPath(path, paths);
  const hint =
    meant === undefined ? `${prefix}${DOCUMENT_PATH} describes it.` : `Did you mean ${prefix}${meant}?`;
  return new Problem(404, 'path_not_found', `The control API has no path ${prefix}${path}. ${hint}`);
}

function isKnown(table: OperationTable, path: string): boolean {
  try {
    table.allow(path);
    return true;
  } catch {
    return false;
  }
}

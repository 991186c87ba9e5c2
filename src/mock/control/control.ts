import { onceLoaded } from '../../base/once.ts';
import { isOutOfFiles, Problem } from '../../base/problem.ts';
import type { Control } from '../../core/handle/handle.ts';
import type { Service, Session } from '../../core/service/service.ts';
import { toJson } from '../../wire/codecs/codecs.ts';
import {
  type MockRequest,
  type MockResponse,
  toContentHeaders,
  withHeaders,
} from '../../wire/message/message.ts';
import type { ControlSubject } from './api.ts';
import { type GuardOptions, loadGuard } from './guard.ts';
import { toHealth } from './health.ts';
import { toOverview } from './overview.ts';
import { toPage } from './page.ts';

export { toSessionHar } from './journal-actions.ts';

/** A control request with everything that its answer depends on. */
interface ControlRequest {
  readonly request: MockRequest;
  readonly service: Service;
  readonly session: Session;
}

type Answer = (asked: ControlRequest) => MockResponse | Promise<MockResponse>;

interface ControlOptions extends GuardOptions {
  /** Whether clients may read and change the mock itself. */
  readonly enabled: boolean;
}

/** Answers the requests that are about the mock itself. */
export function createControl(subject: ControlSubject, options: ControlOptions): Control {
  const answerApi = options.enabled ? createApiAnswer(subject, options) : undefined;
  return (request, service, session) => {
    const asked = { request, service, session };
    const route = isRead(request) ? findRoute(request.path, service.controlPath) : undefined;
    if (route && !isDeclared(service, request, route.yields)) return route.answer(asked);
    const isControl = answerApi !== undefined && request.path.startsWith(`${service.controlPath}/`);
    return isControl && !isDeclared(service, request, 'literal') ? answerApi(asked) : undefined;
  };
}

/** Creates the control API when it is first asked. */
function createApiAnswer(subject: ControlSubject, options: GuardOptions): Answer {
  const load = onceLoaded(async () => {
    const { createControlApi } = await import('./api.ts');
    return createControlApi(subject, await loadGuard(options));
  });
  return async ({ request, service, session }) => {
    const answer = await load();
    const { controlPath } = service;
    const path = request.path.slice(controlPath.length);
    const prefix = (request.prefix ?? '') + controlPath;
    return withHeaders(await answer({ ...request, path, prefix }, session), { 'Cache-Control': 'no-store' });
  };
}

interface ControlRoute {
  readonly answer: Answer;
  /** The operations of the document that come first: any that matches the path, or only one with this very path. */
  readonly yields: 'match' | 'literal';
}

const ROUTES: ReadonlyMap<string, ControlRoute> = new Map<string, ControlRoute>([
  ['/', { answer: answerOverview, yields: 'match' }],
  ['/openapi.json', { answer: answerDocument('application/json'), yields: 'match' }],
  ['/openapi.yaml', { answer: answerDocument('application/yaml'), yields: 'match' }],
]);

/** It answers without the control API, because whoever waits for the mock asks for it. */
const HEALTH: ControlRoute = {
  answer: () => toAnswer('application/json', toJson(toHealth()), { 'Cache-Control': 'no-store' }),
  yields: 'literal',
};

function findRoute(path: string, controlPath: string): ControlRoute | undefined {
  return path.startsWith(controlPath) && path === `${controlPath}/health` ? HEALTH : ROUTES.get(path);
}
function isRead({ method }: MockRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

function isDeclared(
  { table }: Service,
  { method, path }: MockRequest,
  yields: ControlRoute['yields'],
): boolean {
  const operation = table.probe(method, path);
  return yields === 'match' ? operation !== undefined : operation?.path === path;
}

function answerOverview({ request, service, session }: ControlRequest): MockResponse {
  const isPage = /\btext\/html\b/i.test(request.headers.accept ?? '');
  const mediaType = isPage ? 'text/html; charset=utf-8' : 'application/json';
  // Tools that wait for a server ask with HEAD, again and again.
  if (request.method === 'HEAD') return { status: 200, headers: { 'Content-Type': mediaType } };
  const overview = toOverview(service, session, service.addressOf(request));
  return toAnswer(mediaType, isPage ? toPage(overview) : toJson(overview), isPage ? PAGE_POLICY : {});
}

/** The page needs nothing but its own styles, whatever the texts of the document try. */
const PAGE_POLICY = { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'" };

function answerDocument(mediaType: 'application/json' | 'application/yaml'): Answer {
  return async ({ service }) => {
    try {
      return toAnswer(mediaType, await service.readServed(mediaType));
    } catch (error) {
      if (isOutOfFiles(error)) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new Problem(500, 'document_unreadable', `The document can no longer be read. ${reason}`);
    }
  };
}

function toAnswer(mediaType: string, body: string, headers: MockResponse['headers'] = {}): MockResponse {
  return { status: 200, headers: { ...toContentHeaders(mediaType, body), ...headers }, body };
}

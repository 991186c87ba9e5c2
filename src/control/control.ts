import { toJson } from '../codecs/codecs.ts';
import type { Control } from '../handle/handle.ts';
import { type MockRequest, type MockResponse, toContentHeaders } from '../message/message.ts';
import { readVersion } from '../package-files.ts';
import { Problem } from '../problem.ts';
import type { Service, Session } from '../service/service.ts';
import { toOverview } from './overview.ts';
import { toPage } from './page.ts';

/** A control request with everything that its answer depends on. */
interface ControlRequest {
  readonly request: MockRequest;
  readonly service: Service;
  readonly session: Session;
  /** By `performance.now()`. */
  readonly started: number;
}

type Answer = (asked: ControlRequest) => MockResponse | Promise<MockResponse>;

/** Answers the requests that are about the mock itself. */
export function createControl(): Control {
  const started = performance.now();
  return (request, service, session) => {
    const route = isRead(request) ? findRoute(request.path, service.controlPath) : undefined;
    if (!route || isDeclared(service, request, route.yields)) return undefined;
    return route.answer({ request, service, session, started });
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

const HEALTH: ControlRoute = { answer: answerHealth, yields: 'literal' };

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

function answerHealth({ started }: ControlRequest): MockResponse {
  const uptime = Math.round(performance.now() - started) / 1000;
  return toAnswer(
    'application/json',
    toJson({ status: 'ok', name: 'petstore-mock', version: readVersion(), uptime }),
  );
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
      const reason = error instanceof Error ? error.message : String(error);
      throw new Problem(500, 'document_unreadable', `The document can no longer be read. ${reason}`);
    }
  };
}

function toAnswer(mediaType: string, body: string, headers: MockResponse['headers'] = {}): MockResponse {
  return { status: 200, headers: { ...toContentHeaders(mediaType, body), ...headers }, body };
}

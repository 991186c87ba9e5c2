import { Problem } from '../../base/problem.ts';
import { toCookiePairs } from '../../model/operations/operations.ts';
import type { MockRequest } from '../../wire/message/message.ts';

/** A request that names its session, without the part of its path that does. */
interface Named {
  readonly name: string;
  readonly request: MockRequest;
}

const COOKIE = 'mock_session';
const NAME = /^[\w.~-]{1,128}$/;

/**
 * Finds the session that a request names: by its path, such as `/__mock/sessions/one/pets`, else by the header X-Mock-Session, else by
 * the cookie mock_session. `undefined` for the default one. Throws a 400 Problem for an invalid name.
 */
export function findNamed(request: MockRequest, controlPath: string): Named | undefined {
  const { path, headers } = request;
  // The short prefix first: few requests have it, and the long one is put together for each.
  const isOfSession = path.startsWith(controlPath) && path.startsWith(`${controlPath}/sessions/`);
  const inPath = isOfSession ? splitPath(request, controlPath) : undefined;
  if (inPath) return inPath;
  const name = headers['x-mock-session'] ?? readCookie(headers.cookie);
  return name === undefined ? undefined : { name: checkSessionName(name), request };
}

/** Takes the session off a path; `undefined` for a path that ends with it, which is about the session itself. */
function splitPath(request: MockRequest, controlPath: string): Named | undefined {
  const start = controlPath.length + '/sessions/'.length;
  const end = request.path.indexOf('/', start);
  if (end < 0) return undefined;
  const name = checkSessionName(request.path.slice(start, end));
  const prefix = request.path.slice(0, end);
  return { name, request: { ...request, path: request.path.slice(end), prefix } };
}

/** A request in a session, unless its path names another one. */
export function withSession(request: MockRequest, name: string): MockRequest {
  return { ...request, headers: { ...request.headers, 'x-mock-session': name } };
}

function readCookie(header: string | undefined): string | undefined {
  if (!header?.includes(COOKIE)) return undefined;
  return toCookiePairs(header).find(([name]) => name === COOKIE)?.[1];
}

/** Throws a 400 Problem for a name that is not one to 128 characters of `[A-Za-z0-9._~-]`. */
export function checkSessionName(name: string): string {
  if (NAME.test(name)) return name;
  throw new Problem(
    400,
    'invalid_session_name',
    'The name of a session or a snapshot has 1 to 128 characters: letters, digits, ".", "_", "~" and "-".',
  );
}

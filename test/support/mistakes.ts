import type { Operation } from '../../src/model/operations/operations.ts';
import type { MockRequest } from '../../src/wire/message/message.ts';
import type { PrismOperation } from './prism-statuses.ts';

/** An operation, as the mock and as Prism read it. */
export interface Pair {
  readonly ours: Operation;
  readonly prisms: PrismOperation;
  /** All that the document has. */
  readonly operations: readonly PrismOperation[];
}

/** A mistake that a client makes: a valid request becomes a wrong one, or `undefined` where the operation has no room for it. */
export type Mistake = (request: MockRequest, pair: Pair) => MockRequest | undefined;

/** Every mistake by its name; `no mistake` leaves the request as it is. */
export const MISTAKES: Readonly<Record<string, Mistake>> = {
  'no mistake': (request) => request,
  'a wrong parameter of the path': (request, { ours: { path, parameters } }) => {
    const number = parameters.find((each) => each.in === 'path' && each.whole)?.name;
    const at = path.split('/').indexOf(`{${number}}`);
    const segments = request.path.split('/').map((segment, index) => (index === at ? 'x' : segment));
    return at === -1 ? undefined : { ...request, path: segments.join('/') };
  },
  'a wrong parameter of the query': (request, { ours: { parameters } }) => {
    const number = parameters.find((each) => each.in === 'query' && each.whole)?.name;
    return number === undefined ? undefined : withQuery(request, (query) => query.set(number, 'x'));
  },
  'a missing parameter of the query': (request, { ours: { parameters } }) => {
    const name = parameters.find((each) => each.in === 'query' && each.required)?.name;
    return name === undefined ? undefined : withQuery(request, (query) => query.delete(name));
  },
  'a missing header': (request, { prisms }) => {
    const name = prisms.request?.headers?.find(({ required }) => required)?.name;
    return name === undefined ? undefined : withHeaders(request, { [name.toLowerCase()]: undefined });
  },
  'a missing body': (request) => request.body && withoutBody(request),
  'a text as body': (request) => request.body && withBody(request, '"text"'),
  'a list as body': (request) => request.body && withBody(request, '[]'),
  'null as body': (request) => request.body && withBody(request, 'null'),
  'an empty object as body': (request) => request.body && withBody(request, '{}'),
  'a body without its type': (request) => request.body && withHeaders(request, { 'content-type': undefined }),
  'a body of another type': (request) => request.body && withBody(request, 'x', 'application/x-none'),
  'an undeclared body': (request, { ours: { body, method } }) =>
    body || method === 'GET' ? undefined : withBody(request, '{}', 'application/json'),
  'a type that is not offered': (request) => withHeaders(request, { accept: 'application/x-none' }),
  'no credentials': (request, pair) => withoutCredentials(request, pair),
  'no credentials and a wrong body': (request, pair) => {
    const anonymous = withoutCredentials(request, pair);
    return anonymous?.body && withBody(anonymous, '"text"');
  },
  'another scheme': (request) =>
    request.headers.authorization === undefined
      ? undefined
      : withHeaders(request, { authorization: 'Nope x' }),
  'another method': (request, { ours: { path }, operations }) => {
    const declared = operations
      .filter((each) => each.path === path)
      .map(({ method }) => method.toUpperCase());
    const other = ['PATCH', 'DELETE', 'PUT', 'POST'].find((method) => !declared.includes(method));
    return other === undefined ? undefined : { ...withoutBody(request), method: other };
  },
  'an unknown path': (request) => ({ ...withoutBody(request), path: `${request.path}/no/such/path` }),
};

function withQuery(request: MockRequest, change: (query: URLSearchParams) => void): MockRequest {
  const query = new URLSearchParams(request.query);
  change(query);
  return { ...request, query: query.toString() };
}

function withHeaders(
  request: MockRequest,
  changed: Readonly<Record<string, string | undefined>>,
): MockRequest {
  const headers = Object.entries({ ...request.headers, ...changed });
  const present = headers.filter((pair): pair is [string, string] => pair[1] !== undefined);
  return { ...request, headers: Object.fromEntries(present) };
}

function withBody(request: MockRequest, text: string, type = request.headers['content-type']): MockRequest {
  return { ...withHeaders(request, { 'content-type': type }), body: new TextEncoder().encode(text) };
}

function withoutBody(request: MockRequest): MockRequest {
  return { ...withHeaders(request, { 'content-type': undefined }), body: undefined };
}

/** Without everything in which credentials may be. */
function withoutCredentials(request: MockRequest, { prisms }: Pair): MockRequest | undefined {
  const schemes = (prisms.security ?? []).flat();
  if (schemes.length === 0) return undefined;
  const names = schemes.flatMap((scheme) => (scheme.type === 'apiKey' ? [scheme.name] : []));
  const none = Object.fromEntries(names.map((name) => [name.toLowerCase(), undefined]));
  const bare = withHeaders(request, { ...none, authorization: undefined, cookie: undefined });
  return withQuery(bare, (query) => {
    for (const name of names) query.delete(name);
  });
}

import { type MockRequest, toTarget } from '../message/message.ts';

type FetchInput = Request | URL | string;

/** A request as plain data, and its address without a fragment, which is that of the response too. */
interface FetchRequest {
  readonly request: MockRequest;
  readonly url: string;
}

/** Reads a request of the Fetch API. Rejects with the TypeError of `new Request` for invalid arguments. */
export async function readFetch(
  input: FetchInput,
  init: RequestInit | undefined,
  bodyLimit: number,
): Promise<FetchRequest> {
  const url = typeof input === 'string' && input.startsWith('/') ? `http://localhost${input}` : input;
  const { address, method, headers, bytes } = readPlain(url, init) ?? (await readAny(new Request(url, init)));
  const request: MockRequest = {
    method: method.toUpperCase(),
    path: toTarget(address.pathname),
    query: toTarget(address.search.slice(1)),
    headers: Object.fromEntries(headers),
    origin: address.host === '' ? undefined : address.origin,
    body: bytes && bytes.length > bodyLimit ? 'too-large' : bytes,
  };
  if (address.hash !== '') address.hash = '';
  return { request, url: address.href };
}

/** Finds the signal of a request, where `init` goes before the request itself. */
export function findSignal(input: FetchInput, init: RequestInit | undefined): AbortSignal | undefined {
  const own = input instanceof Request ? input.signal : undefined;
  return (init?.signal === undefined ? own : init.signal) ?? undefined;
}

/** Rejects with the reason of a signal as soon as it is aborted, whatever becomes of the work. */
export function raceSignal<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

interface Read {
  readonly address: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly bytes: Uint8Array | undefined;
}

async function readAny(request: Request): Promise<Read> {
  const { method, headers } = request;
  const bytes = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined;
  return { address: new URL(request.url), method, headers, bytes };
}

/** The members of `init` that are read here or by `findSignal`. `Request` itself reads all others. */
const PLAIN_MEMBERS = new Set(['method', 'headers', 'body', 'signal']);

/** The methods that `Request` takes unchanged. */
const WITHOUT_BODY = new Set(['GET', 'HEAD']);
const PLAIN_METHODS = new Set([...WITHOUT_BODY, 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Reads the usual arguments, a URL and a text or bytes, as `Request` would; `undefined` for any others. The stream that a `Request`
 * makes of a body takes longer than the whole answer, and the one of a page drops headers such as `Cookie`.
 */
function readPlain(url: FetchInput, init: RequestInit | undefined): Read | undefined {
  const { method = 'GET', headers: given, body = null, signal = null } = init ?? {};
  const isPlain =
    !(url instanceof Request) &&
    PLAIN_METHODS.has(method) &&
    (body === null || ((typeof body === 'string' || isBytes(body)) && !WITHOUT_BODY.has(method))) &&
    (signal === null || signal instanceof AbortSignal) &&
    Object.keys(init ?? {}).every((name) => PLAIN_MEMBERS.has(name)) &&
    URL.canParse(String(url));
  if (!isPlain) return undefined;
  const address = new URL(url);
  if (address.username !== '' || address.password !== '') return undefined;
  const headers = new Headers(given);
  if (isBytes(body)) return { address, method, headers, bytes: new Uint8Array(body) };
  if (typeof body !== 'string') return { address, method, headers, bytes: undefined };
  if (!headers.has('content-type')) headers.set('content-type', 'text/plain;charset=UTF-8');
  return { address, method, headers, bytes: Buffer.from(body) };
}

function isBytes(body: unknown): body is Uint8Array {
  return body instanceof Uint8Array;
}

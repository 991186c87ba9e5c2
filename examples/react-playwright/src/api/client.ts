import { announce, readDeprecation } from './deprecations.ts';

declare global {
  interface Window {
    /** The address of the API, where a deployment or a test sets it. */
    SHOP_API?: string;
  }
}

const BASE = window.SHOP_API ?? import.meta.env.VITE_API_URL ?? 'http://127.0.0.1:4010';

/** A request that failed: refused by the API with a code, or never answered. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Sends a request to the API, and reads the JSON of its answer. */
export async function send<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await request(`${BASE}${path}`, init);
  const body = await readJson(response, init.signal);
  if (response.ok) return body as T;
  const { code = 'unknown', message = response.statusText } = (body ?? {}) as Partial<ApiError>;
  throw new ApiError(response.status, code, message);
}

async function request(url: string, init: RequestInit): Promise<Response> {
  const response = await reach(url, init);
  const deprecation = readDeprecation(response, BASE);
  if (!deprecation) return response;
  announce(deprecation);
  // An operation that has ended names its successor, so the shop stays open.
  if (response.status === 410 && deprecation.successor) return reach(deprecation.successor.href, init);
  return response;
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(0, 'unreachable', 'The API did not answer.');
  }
}

async function readJson(response: Response, signal?: AbortSignal | null): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    if (signal?.aborted || !response.ok) return undefined;
    throw new ApiError(response.status, 'unreadable', String(error));
  }
}

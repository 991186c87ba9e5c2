import { expect } from 'vitest';

/** The body of every failure. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly status: number;
}

/** The Error object of a response, once it is certain that it is one and nothing but one. */
export async function readError(response: Response): Promise<ErrorBody> {
  expect(response.headers.get('content-type')).toBe('application/json');
  return parseError(await response.text(), response.status);
}

/** The problem details (RFC 9457) of a response, for a document that has no error shape of its own. */
export async function readDetails(response: Response): Promise<ErrorBody> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const { type, title, status, detail, code } = (await response.json()) as Record<string, string | number>;
  expect(type).toBe('about:blank');
  expect(title).toMatch(/\S/);
  expect(status).toBe(response.status);
  return { code: String(code), message: String(detail), status: Number(status) };
}

/** The Error object in a text that answers with a status. */
export function parseError(text: string, status: number): ErrorBody {
  const body = JSON.parse(text) as ErrorBody;
  expect(Object.keys(body).sort()).toEqual(['code', 'message', 'status']);
  expect(body.code).toMatch(/^[a-z][a-z0-9_]*$/);
  expect(body.message).toMatch(/\S/);
  expect(body.status).toBe(status);
  return body;
}

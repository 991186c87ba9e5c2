import { expect } from 'vitest';
import { type Ask, json } from './adapters.ts';

/** Status and body of an answer; the code, where it is an error. */
export async function answerOf(ask: Ask, path: string, init?: RequestInit): Promise<[number, unknown]> {
  const response = await ask(path, init);
  const text = await response.text();
  const body = text === '' ? undefined : JSON.parse(text);
  return [response.status, response.status < 400 ? body : body.code];
}

/** The ids of the entities that a path lists. */
export async function idsOf(ask: Ask, path: string): Promise<unknown[]> {
  const [status, body] = await answerOf(ask, path);
  expect([path, status]).toEqual([path, 200]);
  return (body as { id: unknown }[]).map(({ id }) => id);
}

/** What a POST that must create answers. */
export async function create(ask: Ask, path: string, body: unknown = {}): Promise<Record<string, unknown>> {
  const [status, made] = await answerOf(ask, path, json('POST', body));
  expect([path, status]).toEqual([path, 201]);
  return made as Record<string, unknown>;
}

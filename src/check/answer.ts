import { isJson, toMediaType } from '../codecs/codecs.ts';
import type { MockRequest, MockResponse } from '../message.ts';
import { isObject } from '../schema/schema.ts';

/** A way to put a request to the mock. */
export type Ask = (request: MockRequest) => Promise<MockResponse>;

/** A header of an answer, whatever the case of its name. */
export function headerOf({ headers }: MockResponse, name: string): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}

/** The value that a JSON answer holds; `undefined` for any other answer. */
export function readJson(response: MockResponse): unknown {
  if (!isJson(toMediaType(headerOf(response, 'Content-Type')) ?? '')) return undefined;
  try {
    return JSON.parse(response.body ?? '');
  } catch {
    // That it is no JSON is found where every answer is judged.
    return undefined;
  }
}

export type Entity = Readonly<Record<string, unknown>>;

const DEEPEST_WRAPPING = 3;

/** The first object with a property (of this value, if one is given) in an answer: itself, or wrapped, or in a list. */
export function findEntity(
  answer: unknown,
  property: string,
  value?: string,
  depth: number = DEEPEST_WRAPPING,
): Entity | undefined {
  if (!isObject(answer)) return undefined;
  if (
    !Array.isArray(answer) &&
    isKey(answer[property]) &&
    (value ?? String(answer[property])) === String(answer[property])
  ) {
    return answer;
  }
  if (depth === 0) return undefined;
  for (const member of Object.values(answer)) {
    const found = findEntity(member, property, value, Array.isArray(answer) ? depth : depth - 1);
    if (found) return found;
  }
  return undefined;
}

function isKey(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

/** What a failed answer says, in short. */
export function toExcerpt({ body = '' }: MockResponse): string {
  return body.length > EXCERPT ? `${body.slice(0, EXCERPT)}...` : body;
}

const EXCERPT = 300;

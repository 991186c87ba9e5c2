import { isObject } from '../../schema/schema.ts';
import type { Entity } from '../../state/store/store.ts';
import { isJson, toMediaType } from '../../wire/codecs/codecs.ts';
import type { MockRequest, MockResponse } from '../../wire/message/message.ts';

/** Sends a request to the mock. */
export type Ask = (request: MockRequest) => Promise<MockResponse>;

/** Finds a header of an answer. The case of its name does not matter. */
export function headerOf({ headers }: MockResponse, name: string): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}

/** Parses a JSON answer; `undefined` for any other answer. */
export function readJsonBody(response: MockResponse): unknown {
  if (!isJson(toMediaType(headerOf(response, 'Content-Type')) ?? '')) return undefined;
  try {
    return JSON.parse(String(response.body ?? ''));
  } catch {
    // Invalid JSON is reported when the answer is judged.
    return undefined;
  }
}

const DEEPEST_WRAPPING = 3;

/** Finds the first object with a property, of a given value if any: the answer itself, a wrapped object or a list item. */
export function findShownEntity(
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
    const isItem = Array.isArray(answer) && !Array.isArray(member);
    const found = findShownEntity(member, property, value, isItem ? depth : depth - 1);
    if (found) return found;
  }
  return undefined;
}

function isKey(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

/** Cuts the body of an answer to a readable length. */
export function toExcerpt({ body = '' }: MockResponse): string {
  if (typeof body !== 'string') return `${body.length} bytes`;
  return body.length > EXCERPT ? `${body.slice(0, EXCERPT)}...` : body;
}

const EXCERPT = 300;

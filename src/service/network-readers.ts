import { isPathPrefix, LOOPBACK, toOrigin, toTarget } from '../message/message.ts';
import { isString, mustBe, type ReadResult } from './option-readers.ts';
import type { OptionSchema } from './option-schemas.ts';

const ORIGIN: OptionSchema = { type: 'string', pattern: '^(loopback|[a-z][a-z0-9+.-]*://[^/?#@*]+/?)$' };

/** The form that `readOrigins` accepts. */
export const ORIGINS_SCHEMA: OptionSchema = { anyOf: [ORIGIN, { type: 'array', items: ORIGIN }] };

/** Reads one origin or a list of them; `loopback` stands for every origin on this machine. */
export function readOrigins(given: unknown): ReadResult<readonly string[]> {
  const origins: string[] = [];
  for (const each of [given].flat()) {
    const origin = each === LOOPBACK ? each : isString(each) ? toOrigin(each) : undefined;
    if (origin === undefined) return mustBe(`origins like https://app.example.com, or ${LOOPBACK}`, each);
    origins.push(origin);
  }
  return { value: origins };
}

/** The form that `readBaseUrl` accepts. */
export const BASE_URL_SCHEMA: OptionSchema = { type: 'string', pattern: '^(https?://|/)[^?#\\\\\\s]*$' };

/** Reads the URL or the path at which clients reach the mock, without a slash at its end. */
export function readBaseUrl(given: unknown): ReadResult<string> {
  const text = isString(given) ? toBaseUrl(given) : undefined;
  return text === undefined
    ? mustBe('a URL like https://app.example.com/api or a path like /api', given)
    : { value: text };
}

function toBaseUrl(text: string): string | undefined {
  if (isPathPrefix(text)) return toTarget(text);
  const url = /^https?:/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const isBare = url && `${url.username}${url.password}${url.search}${url.hash}` === '';
  return isBare ? url.origin + url.pathname : undefined;
}

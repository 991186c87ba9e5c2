import { readPreferences } from '../../answer/respond/respond.ts';
import { LIMITS } from '../../base/limits.ts';
import { Problem } from '../../base/problem.ts';
import {
  type HeaderFields,
  type MockRequest,
  type MockResponse,
  withHeaders,
} from '../../wire/message/message.ts';
import type { KeyedRequest } from '../service/service.ts';
import type { Exchange, Step } from './exchange.ts';
import { toFingerprint } from './fingerprint.ts';

/** Whether a request has an Idempotency-Key, which means something for POST and PATCH (draft-ietf-httpapi-idempotency-key-header-07). */
export function isKeyed({ session, request: { method, headers } }: Exchange): boolean {
  return (
    headers['idempotency-key'] !== undefined &&
    session.idempotencyKeys !== undefined &&
    (method === 'POST' || method === 'PATCH')
  );
}

/**
 * Claims the key of a request before anything waits. A key that cannot be used is refused later, after the credentials are checked. A
 * request for an answer by status or name is not carried out, so it needs no key.
 */
export const reserve: Step = (exchange) => {
  if (!isKeyed(exchange)) return undefined;
  const { request } = exchange;
  exchange.acted = false;
  const { code, example } = readPreferences(request.headers.prefer, request.query);
  if (code !== undefined || example !== undefined || request.body === 'too-large') return undefined;
  if (readKey(request) !== undefined) claim(exchange);
  return undefined;
};

/** Answers a request that was carried out already with its first answer. */
export const repeat: Step = (exchange) => {
  if (!isKeyed(exchange)) return undefined;
  const { key, fingerprint } = claim(exchange);
  const { idempotencyKeys, clock } = exchange.session;
  const kept = idempotencyKeys?.find(key, clock.now());
  if (!kept) return undefined;
  if (kept.request.fingerprint !== fingerprint) throw keyReused();
  const { response, source, problem } = kept.answer;
  exchange.response = withHeaders(response, REPLAYED);
  exchange.source = source;
  exchange.problem = problem;
  return settle;
};

/** The header that Stripe has for it; the draft has none. */
const REPLAYED: HeaderFields = { 'Idempotency-Replayed': 'true' };

/** Keeps the answer to a keyed request that was carried out, and frees its key. */
export const settle: Step = (exchange) => {
  const { keyed, session, acted, source, problem } = exchange;
  if (!keyed) return undefined;
  const { status, headers, body } = exchange.response as MockResponse;
  // A retry gets another chance where nothing was carried out: after mistakes in the request, missing credentials and failures.
  if (acted && source !== 'fault' && status !== 401 && status < 500)
    session.idempotencyKeys?.keep(
      keyed,
      { response: { status, headers, body }, source, problem },
      session.clock.now(),
    );
  release(exchange);
  return undefined;
};

/** Frees the key of a request that gets no answer. */
export function release({ keyed, session }: Exchange): void {
  if (keyed) session.idempotencyKeys?.release(keyed);
}

/** Claims the key of a request. Throws a Problem if the key cannot be used, or belongs to a request that still runs. */
function claim(exchange: Exchange): KeyedRequest {
  exchange.keyed ??= toKeyed(exchange.request);
  const { keyed, session } = exchange;
  const running = session.idempotencyKeys?.claim(keyed) ?? keyed;
  if (running === keyed) return keyed;
  throw running.fingerprint === keyed.fingerprint ? keyRunning() : keyReused();
}

function toKeyed(request: MockRequest): KeyedRequest {
  const key = readKey(request);
  if (key === undefined) throw invalidKey();
  return { key, fingerprint: toFingerprint(request) };
}

/** A header that is longer is not read. */
const LONGEST_HEADER = 2000;
const { value: LONGEST_KEY } = LIMITS.idempotencyKeyLength;
/** A string of RFC 8941 with parameters, which mean nothing. */
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)" *(?:;[ -~]*)?$/;
const UNQUOTED = /^[!#-~][!-~]*$/;

/** Reads the key in quotes, as the draft has it, or without, as most clients send it; `undefined` where it cannot be used. */
function readKey({ headers }: MockRequest): string | undefined {
  const text = headers['idempotency-key']?.trim() ?? '';
  if (text.length > LONGEST_HEADER) return undefined;
  const quoted = QUOTED.exec(text)?.[1]?.replace(/\\(.)/g, '$1');
  const key = quoted ?? (UNQUOTED.test(text) ? text : '');
  return key === '' || key.length > LONGEST_KEY ? undefined : key;
}

function invalidKey(): Problem {
  const message = `must have 1 to ${LONGEST_KEY} visible ASCII characters, such as a UUID`;
  const violations = [{ location: 'header.Idempotency-Key', message, code: 'pattern' } as const];
  const remedy = 'Blanks need quotes. Send one key for each request, and the same one with its retries.';
  const text = `header.Idempotency-Key: ${message}. ${remedy}`;
  return new Problem(400, 'invalid_idempotency_key', text, { violations });
}

function keyReused(): Problem {
  const message =
    'Another request has used this Idempotency-Key: its method, URL, Content-Type or body differs. Send a new key for a new request.';
  return new Problem(422, 'idempotency_key_reused', message);
}

function keyRunning(): Problem {
  const message = 'A request with this Idempotency-Key is still running. Send it again later.';
  return new Problem(409, 'idempotency_key_running', message);
}

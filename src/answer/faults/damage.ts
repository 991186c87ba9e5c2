import type { MockResponse } from '../../wire/message/message.ts';
import type { FaultEffect, FaultRule } from './fault-rule.ts';

/** An effect on an answer, or instead of it. */
export interface Damage extends Pick<FaultRule, 'bytes' | 'bytesPerSecond'> {
  readonly effect: FaultEffect;
}

/** Slow enough to see each property arrive. */
const USUAL_SPEED = 100;

/** Damages a response. */
export function damageResponse(
  response: MockResponse,
  { effect, bytes, bytesPerSecond = USUAL_SPEED }: Damage,
): MockResponse {
  const { headers, body } = response;
  switch (effect) {
    case 'reset':
    case 'timeout':
      return { status: 0, headers: {}, transmission: { kind: effect } };
    case 'drip':
      return { ...response, transmission: { kind: 'drip', bytesPerSecond } };
    case 'truncate': {
      const half = Math.floor(Buffer.byteLength(body ?? '') / 2);
      return { ...response, transmission: { kind: 'truncate', bytes: bytes ?? half } };
    }
    case 'empty':
      return body === undefined ? response : withBody(headers, response, '');
    case 'malformed':
      return body === undefined ? response : withBody(headers, response, toMalformed(body));
  }
}

function withBody(
  headers: MockResponse['headers'],
  response: MockResponse,
  body: string | Uint8Array,
): MockResponse {
  return { ...response, headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) }, body };
}

/** Replaces the last character by a comma, which no JSON text ends with. */
function toMalformed(body: string | Uint8Array): string | Uint8Array {
  if (typeof body === 'string') return `${body.slice(0, -1)},`;
  const bytes = Uint8Array.from(body);
  bytes[bytes.length - 1] = 0x2c;
  return bytes;
}

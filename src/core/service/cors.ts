import type { OperationTable } from '../../model/operations/operations.ts';
import { buildCors, type Cors } from '../../wire/message/message.ts';
import type { MockOptions } from './service-options.ts';

/** Builds the CORS headers of a service; `undefined` where CORS is switched off. */
export function buildCorsFor(
  { cors, corsOrigin }: Pick<MockOptions, 'cors' | 'corsOrigin'>,
  table: OperationTable,
): Cors | undefined {
  return cors === false ? undefined : buildCors(toExposedHeaders(table), corsOrigin);
}

/** The headers that the mock itself may add, and that pages may read only if they are exposed. */
const OWN_HEADERS = [
  'Accept',
  'Accept-Encoding',
  'Accept-Patch',
  'Allow',
  'Deprecation',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'Warning',
  'X-Mock-Violations',
  'X-Mock-Warnings',
  'X-Stability',
  'X-Total-Count',
];

/** Lists every response header of the mock and the document. */
function toExposedHeaders({ operations }: OperationTable): string[] {
  return [...OWN_HEADERS, ...operations.flatMap(({ outline }) => outline.headerNames())];
}

export { buildCors, type Cors, isPreflight } from './cors.ts';
export { hasStrongly, hasWeakly, toEntityTag } from './entity-tag.ts';
export { CONNECTION_HEADERS, toHeaderName, toSendable } from './headers.ts';
export { isLoopback, LOOPBACK, toOrigin } from './origin.ts';
export {
  BODILESS_STATUSES,
  type Client,
  type HeaderFields,
  hasBody,
  isHost,
  isToken,
  joinHeaders,
  type MockRequest,
  type MockResponse,
  NO_HEADERS,
  type OnEnd,
  type OpenStream,
  type Outcome,
  type Sink,
  type Source,
  sizeOfRequest,
  sizeOfResponse,
  type Transmission,
  toAscii,
  toContentHeaders,
  toTarget,
  withContent,
  withHeaders,
  withoutContent,
} from './plain-message.ts';
export { type AddressOf, buildAddressOf, isPathPrefix, type PublicAddress } from './public-address.ts';

export { buildCors, type Cors } from './cors.ts';
export { toHeaderName, toSendable } from './headers.ts';
export {
  BODILESS_STATUSES,
  type HeaderFields,
  hasBody,
  isHost,
  isToken,
  joinHeaders,
  type MockRequest,
  type MockResponse,
  NO_HEADERS,
  type Outcome,
  sizeOfRequest,
  sizeOfResponse,
  toAscii,
  toContentHeaders,
  toOrigin,
  toTarget,
  withContent,
  withHeaders,
  withoutContent,
} from './plain-message.ts';

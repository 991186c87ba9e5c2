import { isObject, type SchemaNode } from '../../schema/schema.ts';
import { CONNECTION_HEADERS, type MockResponse, toAscii, toHeaderName } from '../../wire/message/message.ts';
import { findResponse, type Operation } from './operation.ts';
import type { DeclaredHeader } from './responses.ts';

/** Writes the declared headers of an answer, once per operation and status. */
export interface DeclaredHeaders {
  /** The headers of an example or a generated answer. */
  ofExample(operation: Operation, status: number): MockResponse['headers'];
  /** The headers of an answer from state or of an error: those that depend on the outcome only if they are required. */
  ofState(operation: Operation, status: number): MockResponse['headers'];
}

interface DeclaredHeadersParts {
  /** Generates a value for a schema, the same for the same name; `undefined` if it finds none. */
  readonly generate: (schema: SchemaNode, name: string) => unknown;
}

export function createDeclaredHeaders(parts: DeclaredHeadersParts): DeclaredHeaders {
  return {
    ofExample: rememberByStatus((operation, status) => writeHeaders(parts, operation, status, FRAMING)),
    ofState: rememberByStatus((operation, status) => writeHeaders(parts, operation, status, DECIDED)),
  };
}

/** Headers that HTTP itself or the content determines. */
const FRAMING = new Set([...CONNECTION_HEADERS, 'content-encoding', 'content-type', 'date']);
/** Headers that the outcome determines, such as a page or a lifecycle. */
const DECIDED = new Set([
  ...FRAMING,
  ...'allow deprecation etag last-modified link location sunset warning x-stability x-total-count'.split(' '),
]);
/** Headers with a standard meaning, in which a generated value would mislead clients. */
const MEANINGFUL = new Set([
  ...DECIDED,
  ...'accept-ranges age cache-control content-disposition content-location content-range expires'.split(' '),
  ...'preference-applied retry-after set-cookie vary www-authenticate'.split(' '),
]);

type Write = (operation: Operation, status: number) => MockResponse['headers'];

function rememberByStatus(write: Write): Write {
  const written = new WeakMap<Operation, Map<number, MockResponse['headers']>>();
  return (operation, status) => {
    const own = written.get(operation) ?? new Map<number, MockResponse['headers']>();
    written.set(operation, own);
    const headers = own.get(status) ?? write(operation, status);
    own.set(status, headers);
    return headers;
  };
}

function writeHeaders(
  parts: DeclaredHeadersParts,
  operation: Operation,
  status: number,
  optional: ReadonlySet<string>,
): MockResponse['headers'] {
  const entries = (findResponse(operation, status)?.headers ?? []).flatMap((header): [string, string][] => {
    const name = header.name.toLowerCase();
    if (FRAMING.has(name) || (optional.has(name) && !header.required)) return [];
    const value = findValue(parts, header, `${operation.label} ${status} ${name}`);
    return value === undefined || value === null
      ? []
      : [[toHeaderName(name), toAscii(writeSimple(value, header.explode).trim())]];
  });
  return Object.fromEntries(entries);
}

function findValue(
  { generate }: DeclaredHeadersParts,
  { name, required, schema, example }: DeclaredHeader,
  key: string,
): unknown {
  if (example !== undefined) return example;
  if (!schema) return required ? 'value' : undefined;
  const { default: usual, examples } = schema.keywords;
  if (usual !== undefined) return usual;
  const [own] = Array.isArray(examples) ? examples : [];
  if (own !== undefined) return own;
  return required || !MEANINGFUL.has(name.toLowerCase()) ? generate(schema, key) : undefined;
}

/** Writes a value in the style `simple`: `a,b` for a list, `a,1,b,2` for an object, exploded `a=1,b=2`. */
function writeSimple(value: unknown, explode: boolean): string {
  if (Array.isArray(value)) return value.map(String).join(',');
  if (!isObject(value)) return String(value);
  const separator = explode ? '=' : ',';
  return Object.entries(value)
    .map(([name, member]) => name + separator + String(member))
    .join(',');
}

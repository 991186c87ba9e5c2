import type { HttpParameter } from '../document/document.ts';
import { toHeaderName } from '../headers.ts';
import { toAscii } from '../message.ts';
import { isObject, resolveReference, type Schema } from '../schema/schema.ts';
import { findResponse, type Operation } from './operation.ts';

/** The headers that the document declares for an answer, written once for each operation and status. */
export interface DeclaredHeaders {
  /** For an answer out of the document. */
  ofExample(operation: Operation, status: number): Readonly<Record<string, string>>;
  /** For an answer that state or an error decides: without what must fit to what is decided, unless it is required. */
  ofState(operation: Operation, status: number): Readonly<Record<string, string>>;
}

export interface DeclaredHeadersParts {
  /** What the references of schemas resolve in. */
  readonly root: unknown;
  /** A value for a schema, the same for the same name; `undefined` if none is found. */
  readonly generate: (schema: Schema, name: string) => unknown;
}

export function createDeclaredHeaders(parts: DeclaredHeadersParts): DeclaredHeaders {
  return {
    ofExample: remember((operation, status) => writeHeaders(parts, operation, status, FRAMING)),
    ofState: remember((operation, status) => writeHeaders(parts, operation, status, DECIDED)),
  };
}

/** What HTTP itself or the content decides. */
const FRAMING = new Set(
  'connection content-encoding content-length content-type date keep-alive trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);
/** What goes with a page, a place, a lifecycle or a path, and is set where there is one. */
const DECIDED = new Set([
  ...FRAMING,
  ...'allow deprecation link location sunset warning x-stability x-total-count'.split(' '),
]);
/** What means something to every client, so that a made-up value would mislead it. */
const MEANINGFUL = new Set([
  ...DECIDED,
  ...'accept-ranges age cache-control content-disposition content-location content-range etag expires'.split(
    ' ',
  ),
  ...'last-modified preference-applied retry-after set-cookie vary www-authenticate'.split(' '),
]);

type Headers = Readonly<Record<string, string>>;
type Write = (operation: Operation, status: number) => Headers;

function remember(write: Write): Write {
  const written = new WeakMap<Operation, Map<number, Headers>>();
  return (operation, status) => {
    const own = written.get(operation) ?? new Map<number, Headers>();
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
  left: ReadonlySet<string>,
): Headers {
  const entries = (findResponse(operation, status)?.headers ?? []).flatMap((header): [string, string][] => {
    const name = header.name.toLowerCase();
    if (FRAMING.has(name) || (left.has(name) && !header.required)) return [];
    const value = findValue(parts, header, `${operation.label} ${status} ${name}`);
    return value === undefined || value === null
      ? []
      : [[toHeaderName(name), toAscii(writeSimple(value, header.explode === true).trim())]];
  });
  return Object.fromEntries(entries);
}

function findValue(
  { root, generate }: DeclaredHeadersParts,
  { name, required, schema, examples = [] }: HttpParameter,
  key: string,
): unknown {
  const [example] = examples.map((node) => resolveReference(root, node));
  if (isObject(example) && example.value !== undefined) return example.value;
  const resolved = resolveReference(root, schema);
  if (!isObject(resolved)) return required ? 'value' : undefined;
  if (resolved.default !== undefined) return resolved.default;
  const [own] = Array.isArray(resolved.examples) ? resolved.examples : [];
  if (own !== undefined) return own;
  return required || !MEANINGFUL.has(name.toLowerCase()) ? generate(schema as Schema, key) : undefined;
}

/** The style `simple`: `a,b` for a list, `a,1,b,2` for an object, exploded `a=1,b=2`. */
function writeSimple(value: unknown, explode: boolean): string {
  if (Array.isArray(value)) return value.map(String).join(',');
  if (!isObject(value)) return String(value);
  const separator = explode ? '=' : ',';
  return Object.entries(value)
    .map(([name, member]) => name + separator + String(member))
    .join(',');
}

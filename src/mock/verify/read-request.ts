import type { JournalEntry } from '../../core/journal/journal.ts';
import type { OperationTable } from '../../model/operations/operations.ts';
import {
  isFile,
  isJson,
  MULTIPART,
  readMultipart,
  toMediaType,
  URL_ENCODED,
} from '../../wire/codecs/codecs.ts';

/** The path parameters of a recorded request as texts; none where it matches no operation. */
export function readPathParameters(
  table: OperationTable,
  { method, path }: JournalEntry,
): Readonly<Record<string, string>> {
  try {
    return table.match(method, path).parameters;
  } catch {
    return {};
  }
}

/** The query of a recorded request, a list for a parameter that is repeated. */
export function readQuery({ request }: JournalEntry): Readonly<Record<string, string | string[]>> {
  return toFields(new URLSearchParams(request.query));
}

/** The body of a recorded request: the value of JSON, the fields of a form, else the text. */
export function readRecordedBody({ request: { headers, body, bytes } }: JournalEntry): unknown {
  if (body === undefined) return undefined;
  const contentType = headers['content-type'] ?? '';
  const type = toMediaType(contentType) ?? '';
  try {
    if (isJson(type)) return toBounded(body);
    if (type === MULTIPART) return readFields(bytes ?? Buffer.from(body), contentType);
  } catch {
    // A malformed body was refused, but is in the journal.
    return body;
  }
  return type === URL_ENCODED ? toFields(new URLSearchParams(body)) : body;
}

/** The fields of a form; a file as its name and its size. */
function readFields(bytes: Uint8Array, contentType: string): object {
  const parts = readMultipart(bytes, contentType).map((part): [string, unknown] => {
    const { name, filename, bytes: content } = part;
    return [name, isFile(part) ? { filename, size: content.length } : Buffer.from(content).toString()];
  });
  return toFields(parts);
}

function toFields<T>(pairs: Iterable<readonly [name: string, value: T]>): Record<string, T | T[]> {
  const fields = new Map<string, T[]>();
  for (const [name, value] of pairs) {
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length === 1 ? (values[0] as T) : values]),
  );
}

/** Far beyond any body that an operation accepts, and well within the call stack. */
const DEEPEST = 500;

/** The value of a JSON text; the text itself where the value nests too deeply for recursion. */
function toBounded(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return isDeep(value, 0) ? text : value;
}

function isDeep(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === DEEPEST || Object.values(value).some((member) => isDeep(member, depth + 1));
}

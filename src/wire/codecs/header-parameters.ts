import { decodeBytes } from './text.ts';

/**
 * Reads the parameters of a header value such as `form-data; name="a"; filename*=UTF-8''b.txt`, by name in lower case. The first of two
 * wins, and one in the extended notation of RFC 8187 goes before the plain one. One pass, whatever a client sends.
 */
export function readParameters(value: string): ReadonlyMap<string, string> {
  const plain = new Map<string, string>();
  const extended = new Map<string, string>();
  for (let at = value.indexOf(';'); at >= 0; at = value.indexOf(';', at)) {
    const { name, text, end } = readParameter(value, at + 1);
    at = end;
    const isExtended = name.endsWith('*');
    const found = isExtended ? decodeExtended(text) : text;
    const [target, key] = isExtended ? [extended, name.slice(0, -1)] : [plain, name];
    if (key !== '' && found !== undefined && !target.has(key)) target.set(key, found);
  }
  return new Map([...plain, ...extended]);
}

interface Parameter {
  readonly name: string;
  readonly text: string;
  /** The position behind it. */
  readonly end: number;
}

function readParameter(value: string, start: number): Parameter {
  const semicolon = value.indexOf(';', start);
  const next = semicolon < 0 ? value.length : semicolon;
  const rest = value.slice(start, next);
  const mark = rest.indexOf('=');
  if (mark < 0) return { name: '', text: '', end: next };
  const name = rest.slice(0, mark).trim().toLowerCase();
  const text = rest.slice(mark + 1).trim();
  const quoted = text.startsWith('"') ? readQuoted(value, value.indexOf('"', start)) : undefined;
  return { name, ...(quoted ?? { text, end: next }) };
}

/**
 * Reads a quoted string; `undefined` if it has no end. Only quotes and backslashes are escaped, because some programs send the path of a
 * file with its backslashes as they are.
 */
function readQuoted(value: string, start: number): Omit<Parameter, 'name'> | undefined {
  let text = '';
  for (let at = start + 1; at < value.length; at++) {
    const char = value[at] as string;
    const next = value[at + 1];
    if (char === '"') return { text, end: at + 1 };
    if (char === '\\' && (next === '"' || next === '\\')) {
      text += next;
      at += 1;
    } else text += char;
  }
  return undefined;
}

/** Decodes `UTF-8''%e2%82%ac` (RFC 8187 section 3.2); `undefined` if it has no charset, or another one. */
function decodeExtended(text: string): string | undefined {
  const [, charset = '', encoded = ''] = /^([\w-]+)'[^']*'(.*)$/.exec(text) ?? [];
  const bytes = Buffer.from(encoded.replace(/%([\da-f]{2})/gi, toByte), 'latin1');
  if (/^utf-?8$/i.test(charset)) return decodeBytes(bytes);
  return /^iso-8859-1$/i.test(charset) ? bytes.toString('latin1') : undefined;
}

function toByte(_: string, hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}

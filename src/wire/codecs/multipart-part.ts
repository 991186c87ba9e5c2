import { readParameters } from './header-parameters.ts';
import { isJson, isXml, toCharset, toMediaType } from './media-type.ts';
import { decodeBytes } from './text.ts';

/** One part of a `multipart/form-data` body. */
export interface Part {
  readonly name: string;
  /** `undefined` for a plain field. */
  readonly filename: string | undefined;
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array;
}

/** Reads a part from its header lines and its content; `undefined` if it has no name. */
export function readPart(head: Uint8Array, content: Buffer): Part | undefined {
  const headers = readHeaders(head);
  const parameters = readParameters(headers.get('content-disposition') ?? '');
  const name = parameters.get('name');
  if (name === undefined) return undefined;
  const isBase64 = headers.get('content-transfer-encoding')?.toLowerCase() === 'base64';
  return {
    name: unescapeName(name),
    filename: parameters.get('filename'),
    contentType: headers.get('content-type'),
    bytes: isBase64 ? Buffer.from(content.toString('latin1'), 'base64') : content,
  };
}

/** Whether a part is a file: it has a file name, or a media type that is not text. */
export function isFile({ filename, contentType }: Part): boolean {
  if (filename !== undefined) return true;
  const type = toMediaType(contentType) ?? 'text/plain';
  return !(type.startsWith('text/') || isJson(type) || isXml(type));
}

/** The text of a part, in the charset that it names. */
export function toPartText({ bytes, contentType }: Part): string {
  const charset = toCharset(contentType);
  const isLatin1 = charset === 'iso-8859-1' || charset === 'latin1';
  return isLatin1 ? Buffer.from(bytes).toString('latin1') : decodeBytes(bytes);
}

/** Reads header lines by name in lower case. A line that begins with a blank continues the one before it (RFC 5322 section 2.2.3). */
function readHeaders(head: Uint8Array): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  const lines = decodeBytes(head)
    .replace(/\r\n(?=[\t ])/g, '')
    .split('\r\n');
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    if (name !== '' && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  return headers;
}

/** Browsers escape these three characters in a name, and no other (HTML, section "Multipart form data"). */
function unescapeName(name: string): string {
  return name.replace(/%(22|0D|0A)/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

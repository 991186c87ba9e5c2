import type { SchemaNode } from '../../schema/schema.ts';
import { isJson, isXml, toMediaType } from './media-type.ts';

/** Whether a media type is bytes rather than text. */
export function isBinary(mediaType: string): boolean {
  const type = toMediaType(mediaType) ?? '';
  return BINARY.test(type) && !isJson(type) && !isXml(type);
}

const BINARY =
  /^(image|audio|video|font)\/|^application\/(octet-stream|pdf|zip|gzip|(x-)?(tar|7z-compressed|protobuf)|vnd\.(ms-|openxmlformats|oasis))/;

/** Whether the values of a schema are files. */
export function isFileSchema({ keywords }: SchemaNode): boolean {
  const { format, contentEncoding, contentMediaType } = keywords;
  if (format === 'binary' || format === 'byte' || contentEncoding !== undefined) return true;
  return typeof contentMediaType === 'string' && isBinary(contentMediaType);
}

/** Decodes the example of a binary content if it is base64: a `data:` URL, or a text whose schema says so. Returns any other one as it is. */
export function toFileExample(
  { mediaType, schema }: { readonly mediaType: string; readonly schema: SchemaNode | undefined },
  value: unknown,
): unknown {
  if (typeof value !== 'string' || !isBinary(mediaType)) return value;
  const [, data] = /^data:[\w.+/-]+;base64,([\w+/=-]*)$/.exec(value) ?? [];
  const { format, contentEncoding } = schema?.keywords ?? {};
  const isEncoded = format === 'byte' || /^base64(url)?$/i.test(String(contentEncoding));
  const text = data ?? (isEncoded ? value.replace(/\s+/g, '') : undefined);
  const isBase64 = text !== undefined && /^[\w+/-]+={0,2}$/.test(text);
  return isBase64 ? Buffer.from(text, 'base64') : value;
}

import { type SchemaNode, toShape } from '../schema/schema.ts';
import { isJson, isXml, toActualType, toMediaType } from './media-type.ts';
import { toJson } from './write-json.ts';
import { toXml } from './write-xml.ts';

/** Writes values in one media type. */
export interface Format {
  readonly mediaType: string;
  write(value: unknown): string;
}

/** The format of a declared content; `undefined` if it is neither JSON nor XML. */
export function toFormat({
  mediaType: declared,
  schema,
}: {
  readonly mediaType: string;
  readonly schema: SchemaNode | undefined;
}): Format | undefined {
  const mediaType = toActualType(declared);
  const type = toMediaType(mediaType) ?? '';
  if (isJson(type)) return { mediaType, write: toJson };
  if (isXml(type)) return { mediaType, write: (value) => toXml(value, toShape(schema)) };
  return undefined;
}

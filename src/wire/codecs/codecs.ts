import type { Shape } from '../../schema/schema.ts';

export { findInexact } from './exact.ts';
export { type JsonReading, readJson } from './exact-json.ts';
export { addField, createField, type Field, toFieldValue, toTextValue } from './field-tree.ts';
export { isBinary, isFileSchema, toFileExample } from './file-example.ts';
export { type Format, toFormat, toJsonFormat, toListFormat, toTextFormat, writeExample } from './format.ts';
export { readParameters } from './header-parameters.ts';
export { LongList, LongObject, replaceLongLists, withoutLongLists } from './long-list.ts';
export {
  type ChooseMediaType,
  createChooser,
  isCovered,
  isForm,
  isJson,
  isXml,
  MULTIPART,
  negotiateMediaType,
  toActualType,
  toActualTypes,
  toCharset,
  toMediaType,
  URL_ENCODED,
} from './media-type.ts';
export { isFile, type Part } from './multipart-part.ts';
export type { Pieces } from './pieces.ts';
export { createFormReader } from './read-form.ts';
export { readMultipart } from './read-multipart.ts';
export { SAMPLE_BYTES, toSampleFile } from './sample-file.ts';
export { toShellWord } from './shell.ts';
export { decodeBytes, decodeUtf8 } from './text.ts';
export { toJson } from './write-json.ts';
export { toXml } from './write-xml.ts';

/** The value of an XML text, read by the shape of its schema. Rejects with a 400 Problem for malformed XML. */
export async function readXml(text: string, shape: Shape): Promise<unknown> {
  // The parser is loaded with the first XML body.
  const reader = await import('./read-xml.ts');
  return reader.readXml(text, shape);
}

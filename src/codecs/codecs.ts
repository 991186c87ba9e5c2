export { findInexact } from './exact.ts';
export { type JsonReading, readJson } from './exact-json.ts';
export { addField, createField, type Field, toFieldValue, toTextValue } from './field-tree.ts';
export {
  buildChooser,
  type ChooseMediaType,
  isCovered,
  isJson,
  isXml,
  negotiateMediaType,
  toActualType,
  toCharset,
  toMediaType,
} from './media-type.ts';
export {
  add,
  hasBig,
  isInt64,
  isMultiple,
  type Numeric,
  readFraction,
  readInteger,
  subtract,
  withBigs,
} from './number.ts';
export { createFormReader } from './read-form.ts';
export { toJson } from './write-json.ts';
export { toXml } from './write-xml.ts';

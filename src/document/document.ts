export {
  type Document,
  type DocumentRoot,
  type HttpBody,
  type HttpContent,
  type HttpEncoding,
  type HttpExample,
  type HttpOperation,
  type HttpOutline,
  type HttpParameter,
  type HttpResponse,
  type HttpServer,
  type LoadedDocument,
  loadDocument,
  type Reference,
} from './load.ts';
export { formatNotes, type Note, toNote } from './note.ts';
export { loadOwnDocument } from './own-document.ts';
export type { Requirements, SecurityScheme } from './security.ts';
export { isUrl, readSource, type Source, toPlace } from './source.ts';

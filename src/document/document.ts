export {
  type Diagnostic,
  type DiagnosticCode,
  formatDiagnostics,
  toDiagnostic,
} from './diagnostic.ts';
export type {
  Document,
  DocumentRoot,
  HttpBody,
  HttpContent,
  HttpEncoding,
  HttpExample,
  HttpOperation,
  HttpOutline,
  HttpParameter,
  HttpResponse,
  HttpServer,
  LoadedDocument,
} from './http-document.ts';
export { loadDocument, loadReader, readServed } from './load.ts';
export { isMapping } from './mapping.ts';
export { loadOwnDocument } from './own-document.ts';
export { isUrl } from './read-content.ts';
export { recognizeFile } from './recognize.ts';
export type { Requirements, SecurityScheme } from './security.ts';
export type { DocumentMediaType } from './served.ts';
export { type KeyPath, parseSource, readSource, type Source, toPlace, toSource } from './source.ts';

import { isMapping, kindOf } from './note.ts';
import { mistakeAt, type Source } from './source.ts';

/** A document that holds what no document can do without. */
export interface RawDocument {
  readonly openapi?: unknown;
  readonly swagger?: unknown;
  readonly basePath?: unknown;
  readonly info?: { readonly title?: unknown } | null;
  readonly paths: Readonly<Record<string, unknown>>;
}

/** Checks what no document can do without. Throws a SetupError with file, line, pointer and remedy. */
export function checkDocument(source: Source): RawDocument {
  const { data } = source;
  if (!isMapping(data))
    fail(source, [], `expected a mapping, got ${kindOf(data)}`, 'Is it an OpenAPI document?');
  const version = data.openapi ?? data.swagger;
  if (typeof version !== 'string' && typeof version !== 'number') {
    fail(source, [], 'the key "openapi" is missing', 'Start the document with "openapi: 3.0.3".');
  }
  const key = isSwagger(data) ? 'swagger' : 'openapi';
  if (!SERVED_VERSIONS[key].test(String(version))) {
    fail(
      source,
      [key],
      `version ${version} is not served`,
      'Convert the document to OpenAPI 3.0 or 3.1, or Swagger 2.0.',
    );
  }
  if (hasOnlyOtherParts(data)) {
    fail(source, [], 'there is nothing to serve: it has no operation', 'Describe one under "paths".');
  }
  if (!isMapping(data.paths)) {
    fail(
      source,
      ['paths'],
      `"paths" must be a mapping, got ${kindOf(data.paths)}`,
      'List the paths under it.',
    );
  }
  return data as unknown as RawDocument;
}

/** Whether a document is Swagger 2.0, and not OpenAPI. */
export function isSwagger({ openapi }: { readonly openapi?: unknown }): boolean {
  return openapi === undefined || openapi === null;
}

/** YAML reads `swagger: 2.0` as the number 2. */
const SERVED_VERSIONS = { openapi: /^3\.[01](\.\d+)?$/, swagger: /^2(\.0)?$/ };

/** OpenAPI 3.1 has documents of webhooks or shared parts alone. */
function hasOnlyOtherParts({ openapi, paths = null }: Readonly<Record<string, unknown>>): boolean {
  const empty = paths === null || (isMapping(paths) && Object.keys(paths).length === 0);
  return empty && /^3\.1/.test(String(openapi));
}

function fail(source: Source, path: readonly string[], what: string, remedy: string): never {
  throw mistakeAt(source, path, what, remedy);
}

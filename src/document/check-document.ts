import { SetupError } from '../base/problem.ts';
import { isMapping, kindOf, type Mapping } from './mapping.ts';
import { recognize } from './recognize.ts';
import { type KeyPath, mistakeAt, type Source, toPlace } from './source.ts';

/** Returns the data of a document after checking its version and `paths`. Throws a SetupError with file, line, pointer and remedy. */
export function checkDocument(source: Source): Mapping {
  const { data } = source;
  const other =
    isMapping(data) && ('openapi' in data || 'swagger' in data)
      ? undefined
      : recognize(data, source.location);
  if (other) throw mistakeAt(source, [], `this is ${other}, not an OpenAPI document`, SERVED);
  if (!isMapping(data)) throw toNoMapping(source);
  const { openapi, swagger, paths } = data;
  const version = openapi ?? swagger;
  if (typeof version !== 'string' && typeof version !== 'number')
    throw mistakeAt(source, [], 'the key "openapi" is missing', 'Start the document with "openapi: 3.0.3".');
  const key = isSwagger(data) ? 'swagger' : 'openapi';
  if (!SERVED_VERSIONS[key].test(String(version))) {
    const remedy = 'Convert the document to OpenAPI 3.0, 3.1 or 3.2, or Swagger 2.0.';
    throw mistakeAt(source, [key], `version ${version} is not supported`, remedy);
  }
  if (hasNoPaths(data)) throw noOperation(source, []);
  if (!isMapping(paths))
    throw mistakeAt(
      source,
      ['paths'],
      `"paths" must be a mapping, got ${kindOf(paths)}`,
      'List the paths under it.',
    );
  return data;
}

/** Creates the SetupError for a document without operations. `path` leads to the place for them. */
export function noOperation(source: Source, path: KeyPath): SetupError {
  const place = toPlace(source, path);
  const message = `Failed to load the document ${place}: the document has no operation. Describe one under "paths".`;
  return new SetupError('document-unservable', message);
}

const SERVED = 'This server takes OpenAPI 3.0 to 3.2 and Swagger 2.0, as YAML or JSON.';

function toNoMapping(source: Source): SetupError {
  const { data, location, text } = source;
  if (text?.trim() !== '')
    return mistakeAt(source, [], `expected a mapping, got ${kindOf(data)}`, 'Is it an OpenAPI document?');
  if (location === '-')
    return new SetupError(
      'input-unreadable',
      'Standard input is empty. Pipe a document into it, or name a file: --spec api.yaml.',
    );
  return new SetupError('document-invalid', `${location} is empty. ${SERVED}`);
}

/** Whether a document is Swagger 2.0 rather than OpenAPI. */
export function isSwagger({ openapi }: { readonly openapi?: unknown }): boolean {
  return openapi === undefined || openapi === null;
}

/** YAML reads `swagger: 2.0` as the number 2. */
const SERVED_VERSIONS = { openapi: /^3\.[012](\.\d+)?$/, swagger: /^2(\.0)?$/ };

/** Since OpenAPI 3.1 a document may have no paths at all, and contain only webhooks or components. */
function hasNoPaths({ openapi, paths = null }: Mapping): boolean {
  if (paths === null) return /^3\.[12]/.test(String(openapi));
  return isMapping(paths) && Object.keys(paths).length === 0;
}

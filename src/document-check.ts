import { isObject } from './schema.ts';
import { mistakeAt, type Source } from './source.ts';

/** A document that holds what the conversion relies on. */
export interface RawDocument {
  readonly openapi?: unknown;
  readonly swagger?: unknown;
  readonly basePath?: unknown;
  readonly info?: { readonly title?: unknown };
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Checks what the conversion relies on. Throws a SetupError with file, line, pointer and remedy. */
export function checkDocument(source: Source): RawDocument {
  const { data } = source;
  if (!isMapping(data))
    fail(source, [], `expected a mapping, got ${kindOf(data)}`, 'Is it an OpenAPI document?');
  const version = data.openapi ?? data.swagger;
  if (typeof version !== 'string' && typeof version !== 'number') {
    fail(source, [], 'the key "openapi" is missing', 'Start the document with "openapi: 3.0.3".');
  }
  const key = data.openapi === undefined ? 'swagger' : 'openapi';
  if (!SERVED_VERSIONS[key].test(String(version))) {
    fail(
      source,
      [key],
      `version ${version} is not served`,
      'Convert the document to OpenAPI 3.0 or 3.1, or Swagger 2.0.',
    );
  }
  if (!isMapping(data.paths)) {
    fail(
      source,
      ['paths'],
      `"paths" must be a mapping, got ${kindOf(data.paths)}`,
      'List the paths under it.',
    );
  }
  const names: Names = { templates: new Map(), operationIds: new Map() };
  for (const [path, item] of Object.entries(data.paths)) checkPath(source, path, item, names);
  return data as unknown as RawDocument;
}

/** YAML reads `swagger: 2.0` as the number 2. */
const SERVED_VERSIONS = { openapi: /^3\.[01](\.\d+)?$/, swagger: /^2(\.0)?$/ };

type Path = (string | number)[];

/** What must not come twice, and where it came first. */
interface Names {
  readonly templates: Map<string, string>;
  readonly operationIds: Map<string, string>;
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

function checkPath(source: Source, path: string, item: unknown, names: Names): void {
  if (path.startsWith('x-')) return;
  const at = ['paths', path];
  if (!path.startsWith('/')) fail(source, at, `the path "${path}" must start with "/"`, `Write "/${path}".`);
  if (!isMapping(item))
    fail(source, at, `expected a mapping, got ${kindOf(item)}`, 'Put the operations under it.');
  const template = path.replace(/\{[^{}]*\}/g, '{}');
  const twin = names.templates.get(template);
  if (twin !== undefined)
    fail(source, at, `"${path}" and "${twin}" are the same path`, 'Merge the two into one.');
  names.templates.set(template, path);
  for (const [method, operation] of Object.entries(item)) {
    if (METHODS.has(method)) checkOperation(source, [...at, method], operation, names);
  }
}

function checkOperation(source: Source, at: Path, operation: unknown, names: Names): void {
  if (!isMapping(operation)) {
    fail(source, at, `expected a mapping, got ${kindOf(operation)}`, 'Describe the operation there.');
  }
  const { responses, operationId } = operation;
  if (!isMapping(responses) || Object.keys(responses).length === 0) {
    fail(source, at, 'the operation has no "responses"', 'Declare at least one response.');
  }
  for (const status of Object.keys(responses)) {
    if (/^([1-5](\d\d|XX)|default)$/i.test(status) || status.startsWith('x-')) continue;
    fail(
      source,
      [...at, 'responses', status],
      `"${status}" is no status`,
      'Write one like 200, 4XX or default.',
    );
  }
  if (typeof operationId !== 'string') return;
  const label = `${String(at[2]).toUpperCase()} ${at[1]}`;
  const twin = names.operationIds.get(operationId);
  if (twin !== undefined) {
    fail(
      source,
      [...at, 'operationId'],
      `"${operationId}" is also the operationId of ${twin}`,
      'Rename one of them.',
    );
  }
  names.operationIds.set(operationId, label);
}

function fail(source: Source, path: Path, what: string, remedy: string): never {
  throw mistakeAt(source, path, what, remedy);
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a mapping' : `a ${typeof value}`;
}

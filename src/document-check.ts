import { SetupError } from './problem.ts';
import { isObject, readPointer } from './schema.ts';
import { type Source, toPlace } from './source.ts';

/** A document that holds what the conversion relies on. */
export interface RawDocument {
  readonly openapi: string;
  readonly info?: { readonly title?: unknown };
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

/** Checks what the conversion relies on. Throws a SetupError with file, line, pointer and remedy. */
export function checkDocument(source: Source): RawDocument {
  const { data } = source;
  if (!isMapping(data))
    fail(source, [], `expected a mapping, got ${kindOf(data)}`, 'Is it an OpenAPI document?');
  const version = data.openapi ?? data.swagger;
  if (typeof version !== 'string' && typeof version !== 'number') {
    fail(source, [], 'the key "openapi" is missing', 'Start the document with "openapi: 3.0.3".');
  }
  if (!/^3\.0(\.\d+)?$/.test(String(version))) {
    const key = data.openapi === undefined ? 'swagger' : 'openapi';
    fail(source, [key], `version ${version} is not served`, 'Convert the document to OpenAPI 3.0.');
  }
  if (!isMapping(data.paths)) {
    fail(
      source,
      ['paths'],
      `"paths" must be a mapping, got ${kindOf(data.paths)}`,
      'List the paths under it.',
    );
  }
  for (const [path, item] of Object.entries(data.paths)) checkPath(source, path, item);
  checkReferences(source, data, [], new Set());
  return data as unknown as RawDocument;
}

function checkPath(source: Source, path: string, item: unknown): void {
  if (path.startsWith('x-')) return;
  const at = ['paths', path];
  if (!path.startsWith('/')) fail(source, at, `the path "${path}" must start with "/"`, `Write "/${path}".`);
  if (!isMapping(item))
    fail(source, at, `expected a mapping, got ${kindOf(item)}`, 'Put the operations under it.');
  for (const [method, operation] of Object.entries(item)) {
    if (!METHODS.has(method)) continue;
    if (!isMapping(operation)) {
      fail(
        source,
        [...at, method],
        `expected a mapping, got ${kindOf(operation)}`,
        'Describe the operation there.',
      );
    }
    if (!isMapping(operation.responses)) {
      fail(source, [...at, method], 'the operation has no "responses"', 'Declare at least one response.');
    }
  }
}

/** Keys whose values are data, in which `$ref` is only a name. */
const DATA_KEYS = new Set(['example', 'value', 'default', 'enum', 'const']);
/** Keys whose members are named by the author, so that none of them is a keyword. */
const NAMING_KEYS = new Set([
  'properties',
  'schemas',
  'responses',
  'parameters',
  'examples',
  'headers',
  'paths',
]);

function checkReferences(source: Source, node: unknown, path: (string | number)[], seen: Set<object>): void {
  if (!isObject(node) || seen.has(node)) return;
  seen.add(node);
  if (typeof node.$ref === 'string' && !NAMING_KEYS.has(String(path.at(-1)))) {
    checkReference(source, node.$ref, [...path, '$ref']);
  }
  const named = NAMING_KEYS.has(String(path.at(-1)));
  for (const [key, value] of Object.entries(node)) {
    if (!named && (DATA_KEYS.has(key) || key.startsWith('x-'))) continue;
    checkReferences(source, value, [...path, Array.isArray(node) ? Number(key) : key], seen);
  }
}

function checkReference(source: Source, reference: string, at: (string | number)[]): void {
  if (!reference.startsWith('#')) {
    fail(
      source,
      at,
      `the reference "${reference}" leads out of the document`,
      'Bundle the document into one file.',
    );
  }
  try {
    readPointer(source.data, reference);
  } catch {
    fail(source, at, `the reference "${reference}" leads nowhere`, 'Define what it names, or correct it.');
  }
}

function fail(source: Source, path: (string | number)[], what: string, remedy: string): never {
  throw new SetupError(`Failed to load the document ${toPlace(source, path)}: ${what}. ${remedy}`);
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a mapping' : `a ${typeof value}`;
}

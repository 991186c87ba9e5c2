import { isData, isNaming } from './document-prepare.ts';
import { SetupError } from './problem.ts';
import { isObject, resolveReference } from './schema.ts';
import { type Source, toPlace } from './source.ts';

/** A document that holds what the conversion relies on. */
export interface RawDocument {
  readonly openapi: string;
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
  checkReferences(source, data, [], new Set());
  const names: Names = { templates: new Map(), operationIds: new Map() };
  for (const [path, item] of Object.entries(data.paths)) checkPath(source, path, item, names);
  return data as unknown as RawDocument;
}

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

function checkReferences(source: Source, node: unknown, path: Path, seen: Set<object>): void {
  if (!isObject(node) || seen.has(node)) return;
  seen.add(node);
  const parentKey = String(path.at(-1));
  if (typeof node.$ref === 'string' && !isNaming(parentKey))
    checkReference(source, node.$ref, [...path, '$ref']);
  for (const [key, value] of Object.entries(node)) {
    if (isData(key, parentKey)) continue;
    checkReferences(source, value, [...path, Array.isArray(node) ? Number(key) : key], seen);
  }
}

function checkReference(source: Source, reference: string, at: Path): void {
  if (!reference.startsWith('#')) {
    fail(
      source,
      at,
      `the reference "${reference}" leads out of the document`,
      'Bundle the document into one file.',
    );
  }
  try {
    resolveReference(source.data, { $ref: reference });
  } catch (error) {
    const reason =
      error instanceof URIError ? `The reference "${reference}" leads nowhere` : (error as Error).message;
    fail(source, at, reason.replace(/^The/, 'the'), 'Define what it names, or correct it.');
  }
}

function fail(source: Source, path: Path, what: string, remedy: string): never {
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

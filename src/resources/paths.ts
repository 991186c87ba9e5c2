import { isJson, toActualType, toMediaType } from '../codecs/codecs.ts';
import { findCode, type Operation, type OutlineContent } from '../operations/operations.ts';
import type { SchemaNode } from '../schema/schema.ts';

/** The operations of a document by path and method. */
export type Paths = ReadonlyMap<string, ReadonlyMap<string, Operation>>;

export function buildPaths(operations: readonly Operation[]): Paths {
  const paths = new Map<string, Map<string, Operation>>();
  for (const operation of operations) {
    const methods = paths.get(operation.path) ?? new Map<string, Operation>();
    paths.set(operation.path, methods.set(operation.method, operation));
  }
  return paths;
}

/** The parts of a path that names an item; `undefined` for any other. */
export function parseItemPath(path: string): ItemPath | undefined {
  const [, collectionPath, word, parameter] = ITEM_PATH.exec(path) ?? [];
  return collectionPath && word && parameter ? { collectionPath, word, parameter } : undefined;
}

interface ItemPath {
  readonly collectionPath: string;
  /** The last word of the collection's path. */
  readonly word: string;
  readonly parameter: string;
}

/** The media types besides JSON that carry objects. */
const STRUCTURED = /[/+](xml|x-www-form-urlencoded|form-data)$/;

const ITEM_PATH = /^(.*\/([^/{}]+))\/\{([^{}]+)\}$/;

/** The last word of a path; `undefined` if the path ends in a parameter or a slash. */
export function lastWord(path: string): string | undefined {
  return /\/([^/{}]+)$/.exec(path)?.[1];
}

/** Each parameter of a path, with the path up to it: `/owners/{ownerId}` for `ownerId` of `/owners/{ownerId}/pets`. */
export function parametersOf(path: string): { readonly parameter: string; readonly prefix: string }[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(({ 0: text, 1: parameter = '', index }) => ({
    parameter,
    prefix: path.slice(0, index + text.length),
  }));
}

/** The schema of an operation's answer, of the successful one unless `status` is given. */
export function answerSchema(
  operation: Operation | undefined,
  status: number | undefined = operation?.successStatus,
): SchemaNode | undefined {
  if (!operation || status === undefined) return undefined;
  const code = findCode(operation, status);
  return code === undefined ? undefined : schemaOf(operation.outline.answerContents(code));
}

/** The schema of an operation's body, preferably of its JSON. */
export function bodySchema(operation: Operation | undefined): SchemaNode | undefined {
  return schemaOf(operation?.outline.bodyContents() ?? []);
}

function schemaOf(contents: readonly OutlineContent[]): SchemaNode | undefined {
  const ofType = (fits: (type: string) => boolean) =>
    contents.find(({ mediaType }) => fits(toMediaType(toActualType(mediaType)) ?? ''));
  return (ofType(isJson) ?? ofType((type) => STRUCTURED.test(type)))?.schema;
}

/** The schema of the path parameter that names an item; `undefined` where no operation declares it. */
export function keyParameterSchema(
  operations: readonly Operation[],
  {
    itemPath,
    key,
  }: { readonly itemPath: string | undefined; readonly key: { readonly parameter: string } | undefined },
): SchemaNode | undefined {
  const own = operations.find(({ path }) => path === itemPath);
  return own?.parameters.find((each) => each.in === 'path' && each.name === key?.parameter)?.schema;
}

import type { IHttpRequest, PrismHttpInstance } from '@stoplight/prism-http';
import type { DocumentRoot } from '../../document/document.ts';
import type { DeclaredContent, Operation } from '../../model/operations/operations.ts';
import { isAddedBound, isObject, readPointer } from '../../schema/schema.ts';
import type { MockRequest } from '../../wire/message/message.ts';
import type { ShowPart } from './hide-properties.ts';

export type PrismOperation = Parameters<PrismHttpInstance['request']>[1][number];

/**
 * Converts an operation for Prism: resolves references, except those to schemas, which it bundles. Leaves out the request, which is
 * validated by stricter rules here: `1e3` is not an integer, and 2^53 + 1 is.
 */
export function toPrismOperation(
  root: DocumentRoot,
  { source, responses }: Operation,
  show: ShowPart,
): PrismOperation {
  const resolved = {
    ...source,
    // A callback would fetch a URL that a client sent, which must never happen.
    callbacks: undefined,
    request: {},
    // Bundling would rewrite `$ref` members inside examples, so add those later.
    responses: show(source.responses).map((response, index) => ({
      ...response,
      headers: (response.headers ?? []).filter(({ name }) =>
        responses[index]?.headers.some((header) => header.name === name),
      ),
      contents: (response.contents ?? []).map((content) => ({ ...content, examples: [] })),
    })),
  };
  const bundled = bundle(root, resolved);
  return {
    ...bundled,
    responses: bundled.responses.map((response, index) => ({
      ...response,
      contents: response.contents.map((content, position) => ({
        ...content,
        examples: toPrismExamples(responses[index]?.contents[position]),
      })),
    })),
  } as unknown as PrismOperation;
}

/** Copies a node with all nodes that it refers to, which go to `__bundled__`. */
function bundle<T extends object>(root: DocumentRoot, node: T): T {
  const pointers = new Map<string, string>();
  const waiting: { readonly name: string; readonly target: unknown }[] = [];
  const toPointer = (reference: string): string => {
    const known = pointers.get(reference);
    if (known !== undefined) return known;
    const target = tryPointer(root, reference);
    const name = `shared_${pointers.size}`;
    const pointer = target === undefined ? reference : `#/__bundled__/${name}`;
    pointers.set(reference, pointer);
    if (target !== undefined) waiting.push({ name, target });
    return pointer;
  };
  const copied = copyWith(node, toPointer) as T;
  const bundled: Record<string, unknown> = {};
  // The list grows during the loop, because a target may refer to others.
  for (const { name, target } of waiting) bundled[name] = copyWith(target, toPointer);
  return waiting.length === 0 ? copied : { ...copied, __bundled__: bundled };
}

/** Resolves a pointer; `undefined` if it leads nowhere, as a `$ref` in plain data may. */
function tryPointer(root: DocumentRoot, reference: string): unknown {
  try {
    return readPointer(root, reference);
  } catch {
    return undefined;
  }
}

function copyWith(node: unknown, toPointer: (reference: string) => string): unknown {
  if (!isObject(node)) return node;
  if (Array.isArray(node)) return node.map((item) => copyWith(item, toPointer));
  // Without the added bounds, Prism accepts every int64.
  const entries = Object.entries(node).filter(([key]) => !isAddedBound(node, key));
  return Object.fromEntries(
    entries.map(([key, value]) =>
      key === '$ref' && typeof value === 'string' && value.startsWith('#')
        ? [key, toPointer(value)]
        : [key, copyWith(value, toPointer)],
    ),
  );
}

function toPrismExamples(content: DeclaredContent | undefined) {
  return (content?.examples ?? []).map(({ key, value }) => ({ id: key, key, value }));
}

/** Converts a request for Prism, without its body. */
export function toPrismRequest(operation: Operation, request: MockRequest): IHttpRequest {
  const query: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(request.query)) {
    query[name] = name in query ? [query[name] ?? '', value].flat() : value;
  }
  return {
    method: operation.method.toLowerCase() as IHttpRequest['method'],
    url: { path: request.path, query },
    headers: { ...request.headers },
  };
}

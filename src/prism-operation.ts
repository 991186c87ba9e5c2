import { bundleTarget } from '@stoplight/json';
import type { IHttpRequest, PrismHttpInstance } from '@stoplight/prism-http';
import type { DocumentRoot, HttpContent, HttpExample, HttpResponse } from './document.ts';
import type { MockRequest } from './message.ts';
import type { Operation } from './operations.ts';
import { resolveReference } from './schema.ts';

export type PrismOperation = Parameters<PrismHttpInstance['request']>[1][number];

/** One operation in the form that Prism takes: references resolved, but those to schemas, which come along bundled. */
export function toPrismOperation(
  root: DocumentRoot,
  operation: Operation,
  responses: readonly HttpResponse[],
): PrismOperation {
  const { source } = operation;
  const resolveAll = (nodes: readonly unknown[] | undefined) =>
    (nodes ?? []).map((node) => resolveReference(root, node));
  const resolved = {
    ...source,
    // A call back would fetch a URL that stands in the request: never.
    callbacks: undefined,
    request: {
      path: resolveAll(source.request?.path),
      query: resolveAll(source.request?.query),
      headers: resolveAll(source.request?.headers),
      cookie: resolveAll(source.request?.cookie),
      ...(operation.body && { body: operation.body }),
    },
    responses: responses.map((response) => ({
      ...response,
      contents: (response.contents ?? []).map((content) => ({
        ...content,
        examples: examplesOf(root, content).map(({ key, value }) => ({ id: key, key, value })),
      })),
    })),
  };
  const bundled = bundleTarget({
    document: { operation: resolved, components: root.components },
    path: '#/operation',
  });
  return bundled as unknown as PrismOperation;
}

/** The examples of a content, by name. */
export function examplesOf(root: DocumentRoot, content: HttpContent): HttpExample[] {
  return (content.examples ?? []).map((node) => ({
    ...(resolveReference(root, node) as HttpExample),
    // Where an example is a reference, its name stands beside the `$ref`.
    ...('key' in node && { key: String(node.key) }),
  }));
}

/** A request in the form that Prism takes. `body` is a parsed JSON value, or the text of any other body. */
export function toPrismRequest(operation: Operation, request: MockRequest, body: unknown): IHttpRequest {
  const query: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(request.query)) {
    query[name] = name in query ? [query[name] ?? '', value].flat() : value;
  }
  return {
    method: operation.method.toLowerCase() as IHttpRequest['method'],
    url: { path: request.path, query },
    headers: { ...request.headers },
    ...(body !== undefined && { body }),
  };
}

import { bundleTarget } from '@stoplight/json';
import type { IHttpRequest, PrismHttpInstance } from '@stoplight/prism-http';
import type { DocumentRoot, HttpContent, HttpExample, HttpParameter, HttpResponse } from './document.ts';
import type { MockRequest } from './message.ts';
import type { Operation } from './operations.ts';
import type { ParameterPlace } from './parameters.ts';
import { resolveReference } from './schema.ts';

export type PrismOperation = Parameters<PrismHttpInstance['request']>[1][number];

/**
 * One operation in the form that Prism takes: references resolved, but those to schemas, which come along bundled. Plain
 * parameters are left out: they are validated here, in every lane, where `1e3` is no integer and 2^53 + 1 is one.
 */
export function toPrismOperation(
  root: DocumentRoot,
  operation: Operation,
  responses: readonly HttpResponse[],
): PrismOperation {
  const { request = {} } = operation.source;
  const notPlain = (place: ParameterPlace, nodes: readonly unknown[] = []) =>
    nodes
      .map((node) => resolveReference(root, node) as HttpParameter)
      .filter(({ name }) => {
        const known = place === 'header' ? name.toLowerCase() : name;
        return !operation.parameters.some((each) => each.plain && each.in === place && each.name === known);
      });
  const resolved = {
    ...operation.source,
    // A call back would fetch a URL that stands in the request: never.
    callbacks: undefined,
    request: {
      path: notPlain('path', request.path),
      query: notPlain('query', request.query),
      headers: notPlain('header', request.headers),
      cookie: notPlain('cookie', request.cookie),
      ...(operation.body && { body: operation.body }),
    },
    // Bundling would rewrite what looks like a reference in an example, so examples join later.
    responses: responses.map((response) => ({
      ...response,
      contents: (response.contents ?? []).map((content) => ({ ...content, examples: [] })),
    })),
  };
  const bundled = bundleTarget({
    document: { operation: resolved, components: root.components },
    path: '#/operation',
  }) as unknown as typeof resolved;
  return {
    ...bundled,
    responses: bundled.responses.map((response, index) => ({
      ...response,
      contents: response.contents.map((content, position) => ({
        ...content,
        examples: toPrismExamples(root, responses[index]?.contents?.[position]),
      })),
    })),
  } as unknown as PrismOperation;
}

function toPrismExamples(root: DocumentRoot, content: HttpContent | undefined) {
  return content ? examplesOf(root, content).map(({ key, value }) => ({ id: key, key, value })) : [];
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

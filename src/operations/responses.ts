import type { DocumentRoot, HttpOperation, HttpParameter, HttpResponse } from '../document/document.ts';
import { resolveReference } from '../schema/schema.ts';

/** The responses of an operation with their references resolved, in the document's order. */
export function buildResponses(root: DocumentRoot, { responses }: HttpOperation): HttpResponse[] {
  return responses.map((node) => {
    const response = resolveReference(root, node) as HttpResponse;
    // The name of a referenced header stands beside its `$ref`; the component has a name of its own.
    const headers = (response.headers ?? [])
      .map((header) => ({ ...(resolveReference(root, header) as HttpParameter), name: header.name }))
      .filter(({ name }) => HEADER_NAME.test(name));
    return { ...response, code: node.code, headers };
  });
}

/** The names of the headers that an operation's responses declare; this prepares none of them. */
export function headerNamesOf(root: DocumentRoot, { responses }: HttpOperation): string[] {
  return responses.flatMap((node) => {
    const { headers = [] } = resolveReference(root, node) as HttpResponse;
    return headers.map(({ name }) => name).filter((name) => HEADER_NAME.test(name));
  });
}

/** A header that HTTP has no way to write is not sent. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

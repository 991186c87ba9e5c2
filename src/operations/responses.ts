import type { HttpOperation, HttpOutline, HttpResponse } from '../document/document.ts';

/** The responses of an operation in the document's order, without the headers that HTTP cannot write. */
export function buildResponses({ responses }: HttpOperation): HttpResponse[] {
  return responses.map((response) => ({
    ...response,
    headers: (response.headers ?? []).filter(({ name }) => HEADER_NAME.test(name)),
  }));
}

/** The names of the headers that the responses of an operation declare. */
export function headerNamesOf({ headerNames }: HttpOutline): string[] {
  return headerNames().filter((name) => HEADER_NAME.test(name));
}

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

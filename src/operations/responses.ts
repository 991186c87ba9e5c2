import type { HttpOperation, HttpOutline, HttpResponse } from '../document/document.ts';

/** Builds the responses of an operation in the document's order, without headers whose names are invalid in HTTP. */
export function buildResponses({ responses }: HttpOperation): HttpResponse[] {
  return responses.map((response) => ({
    ...response,
    headers: (response.headers ?? []).filter(({ name }) => HEADER_NAME.test(name)),
  }));
}

/** Lists the names of the headers that the responses of an operation declare. */
export function headerNamesOf({ headerNames }: HttpOutline): string[] {
  return headerNames().filter((name) => HEADER_NAME.test(name));
}

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

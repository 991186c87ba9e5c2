import type { Operation } from '../../model/operations/operations.ts';
import type { MockRequest } from '../../wire/message/message.ts';
import type { Ask } from './answer.ts';
import { findShownEntity, headerOf, readJsonBody } from './answer.ts';

/** Whether a list has an entity with a key on any of its pages; `undefined` if there are too many pages to read. */
export async function isListed(
  ask: Ask,
  operation: Operation,
  request: MockRequest,
  property: string,
  key: string,
): Promise<boolean | undefined> {
  const size = findSize(operation, request);
  let query = [request.query, size && `${encodeURIComponent(size.name)}=${size.value}`]
    .filter(Boolean)
    .join('&');
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await ask({ ...request, query });
    if (findShownEntity(readJsonBody(answer), property, key)) return true;
    const next = /<([^>]*)>;\s*rel="?next/.exec(headerOf(answer, 'Link') ?? '')?.[1];
    if (next === undefined) return size || !hasPages(operation) ? false : undefined;
    query = new URL(next, 'http://localhost').search.slice(1);
  }
  return undefined;
}

const MOST_PAGES = 50;
const MOST_ENTITIES = 100;
const SIZE = /^\$?(limit|top|size|count|per_?page|page_?size|page\[size\]|max_?(results|items))$/i;
const PAGE = /^\$?(page|offset|skip|cursor|page\[number\]|after|start(ing_after)?|(next_?)?page_?token)$/i;

function findSize({ parameters }: Operation, { query }: MockRequest) {
  const found = parameters.find((parameter) => parameter.in === 'query' && SIZE.test(parameter.name));
  if (!found || new URLSearchParams(query).has(found.name)) return undefined;
  const { maximum } = found.schema.keywords;
  return {
    name: found.name,
    value: typeof maximum === 'number' ? Math.min(maximum, MOST_ENTITIES) : MOST_ENTITIES,
  };
}

function hasPages({ parameters }: Operation): boolean {
  return parameters.some((parameter) => parameter.in === 'query' && PAGE.test(parameter.name));
}

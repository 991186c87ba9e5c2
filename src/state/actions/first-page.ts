import type { Operation } from '../../model/operations/operations.ts';
import type { Resource } from '../../model/resources/resources.ts';
import { toSnake } from '../../model/resources/resources.ts';
import { isCreationTime } from './fresh.ts';
import { buildListParameters } from './list-parameters.ts';
import { buildReadPaging } from './paging.ts';
import { buildReadSort, buildSortables } from './sorting.ts';

/** Counts the entities that a list shows by default; infinite if the newest come first. */
export function countFirstPage(operation: Operation, resource: Resource): number {
  const parameters = buildListParameters(operation, resource);
  const [first] = buildReadSort(parameters, buildSortables(resource))(NOTHING_SENT);
  const isNewestFirst =
    first?.descending === true &&
    (isCreationTime(toSnake(first.member ?? first.property)) || first.property === resource.key?.property);
  const { limit } = buildReadPaging(parameters)(NOTHING_SENT);
  return isNewestFirst || limit === undefined || limit === 0 ? Number.POSITIVE_INFINITY : limit;
}

const NOTHING_SENT = { query: {}, body: {} };

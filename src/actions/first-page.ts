import type { Operation } from '../operations/operations.ts';
import type { Resource } from '../resources/resources.ts';
import { toSnake } from '../resources/resources.ts';
import { isCreationTime } from './fresh.ts';
import { type ListInput, readListInput } from './list-inputs.ts';
import { buildListParameters } from './list-parameters.ts';
import { toPaging } from './paging.ts';
import { buildSortables, toListSort } from './sorting.ts';

/** Counts the entities that a list shows by default; infinite if the newest come first. */
export function countFirstPage(operation: Operation, resource: Resource): number {
  const parameters = buildListParameters(operation, resource);
  const usual = (input: ListInput) => readListInput({ query: {}, body: {} }, input);
  const [first] = toListSort(parameters, usual, buildSortables(resource));
  const isNewestFirst =
    first?.descending === true &&
    (isCreationTime(toSnake(first.member ?? first.property)) || first.property === resource.key?.property);
  const { limit } = toPaging(parameters, usual);
  return isNewestFirst || limit === undefined || limit === 0 ? Number.POSITIVE_INFINITY : limit;
}

import { Problem } from '../../base/problem.ts';
import type { Service } from './build.ts';

/** Finds the id of an operation by its id or its label. Throws a 422 Problem with the one that was probably meant. */
export function toOperationId({ table }: Pick<Service, 'table'>, idOrLabel: string): string {
  const found = table.find(idOrLabel);
  if (found) return found.id;
  const shown = idOrLabel.length > 100 ? `${idOrLabel.slice(0, 100)}...` : idOrLabel;
  // Comparing takes as long as both texts together, so an endless one is not compared at all.
  const hint = idOrLabel.length > 256 ? '' : table.hint(idOrLabel);
  throw new Problem(
    422,
    'unknown_operation',
    `The document has no operation ${shown}.${hint} "petstore-mock routes" lists the operations.`,
  );
}

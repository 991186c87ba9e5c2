import type { Operation } from '../operations/operations.ts';
import type { ResourceModel, ResourceOverrides } from './model.ts';
import { readMark } from './overrides.ts';
import { buildPaths } from './paths.ts';
import type { PlacedOperation } from './placed-operation.ts';
import { placeOperations } from './places.ts';
import { findRemedy } from './remedies.ts';
import { explainStateless } from './stateless.ts';

/** An operation that stands for another one in a conventional layout. */
interface MovedOperation {
  readonly operation: Operation;
  /** The operation that it stands for: `PUT /products/{id}`. */
  readonly standsFor: string;
  /** The rules behind it, as clauses. */
  readonly rules: readonly string[];
}

/** An operation without state. */
interface StatelessOperation {
  readonly operation: Operation;
  /** A clause. */
  readonly reason: string;
  /** The line that would give it state; `undefined` if none is known. */
  readonly remedy: string | undefined;
}

/** Lists the operations whose path or method is not that of the place at which inference found them. */
export function explainMoves(operations: readonly Operation[], { actions }: ResourceModel): MovedOperation[] {
  return placeOperations(operations).flatMap((placed) => {
    const { path, method, declared, movedBy } = placed;
    const resource = actions.get(declared.id)?.resource;
    const isOwn = resource?.collectionPath === path || resource?.itemPath === path;
    if (movedBy.length === 0 || !isOwn) return [];
    return [{ operation: declared, standsFor: `${method} ${path}`, rules: movedBy }];
  });
}

interface StatelessParts {
  readonly model: ResourceModel;
  /** The model without anything switched off. */
  readonly full: ResourceModel;
  readonly isServed: (operation: Operation) => boolean;
  /** The setting that switched a resource off, and the remedy. */
  readonly explainOff: (resource: string) => Pick<StatelessOperation, 'reason' | 'remedy'>;
  readonly infer: (operations: readonly Operation[], overrides: ResourceOverrides) => ResourceModel;
}

/** Explains each operation without state. Takes as long as inference, so call it on demand. */
export function explainStatelessOperations(
  operations: readonly Operation[],
  { model, full, isServed, explainOff, infer }: StatelessParts,
): StatelessOperation[] {
  const marked = (operation: Operation) => readMark(operation) === false;
  const placed = placeOperations(operations.filter((operation) => !marked(operation)));
  const byId = new Map(placed.map((operation) => [operation.id, operation]));
  const paths = buildPaths(placed);
  const explain = (operation: PlacedOperation) => ({
    reason: explainStateless({ operation, paths, model }),
    remedy: findRemedy(operation, { model, placed, infer }),
  });
  return operations.flatMap((operation) => {
    if (isServed(operation)) return [];
    const off = full.actions.get(operation.id)?.resource.name;
    const own = byId.get(operation.id);
    if (!own) return [{ operation, reason: 'x-mock-resource: false', remedy: 'without that mark' }];
    return [{ operation, ...(off === undefined ? explain(own) : explainOff(off)) }];
  });
}

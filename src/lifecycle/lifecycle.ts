import type { Note, Source } from '../document/document.ts';
import type { Operation, OperationTable } from '../operations/operations.ts';
import { SetupError } from '../problem.ts';
import { buildLifecycle, type Lifecycle } from './announce.ts';
import type { LifecycleFacts } from './facts.ts';

export type { Lifecycle } from './announce.ts';
export type { LifecycleFacts } from './facts.ts';

/** Where the lifecycles of a document's operations come from. */
export interface LifecycleSources {
  readonly table: OperationTable;
  /** Facts by operationId or label, over what the document says. */
  readonly overrides: Readonly<Record<string, LifecycleFacts>>;
  /** Locates what is wrong in the document. */
  readonly source: Source;
  /** The names of operations that are not served. */
  readonly leftOut: ReadonlySet<string>;
}

/** The lifecycle of every operation, and notes about extensions that are ignored. Throws a SetupError for a wrong override. */
export function buildLifecycles({ table, overrides, source, leftOut }: LifecycleSources): {
  readonly lifecycles: ReadonlyMap<Operation, Lifecycle>;
  readonly notes: readonly Note[];
} {
  const byOperation = new Map(
    Object.entries(overrides).map(([name, facts]) => [findOperation(table, name), facts]),
  );
  const parts = { source, leftOut, find: table.find };
  const built = table.operations.map((operation) => ({
    operation,
    ...buildLifecycle(operation, parts, byOperation.get(operation)),
  }));
  return {
    lifecycles: new Map(built.map(({ operation, lifecycle }) => [operation, lifecycle])),
    notes: built.flatMap(({ notes }) => notes),
  };
}

function findOperation(table: OperationTable, name: string): Operation {
  const operation = table.find(name);
  if (operation) return operation;
  throw new SetupError(
    `The option lifecycle names "${name}", but the document has no such operation. "petstore-mock routes" lists them.`,
    { usage: true },
  );
}

import { SetupError } from '../../base/problem.ts';
import type { Diagnostic, Source } from '../../document/document.ts';
import type { Operation, OperationTable } from '../../model/operations/operations.ts';
import { buildLifecycle, type Lifecycle } from './announce.ts';
import type { LifecycleFacts } from './facts.ts';

export type { Lifecycle } from './announce.ts';
export { type Brownout, createBrownout, SUNSET_MODES, type SunsetMode } from './brownout.ts';
export type { LifecycleFacts } from './facts.ts';

/** The sources of the lifecycles of a document's operations. */
interface LifecycleSources {
  readonly table: OperationTable;
  /** Facts by operationId or label, which take precedence over the document's. */
  readonly overrides: Readonly<Record<string, LifecycleFacts>>;
  /** Locates mistakes in the document. */
  readonly source: Source;
  /** The names of operations that are not served. */
  readonly leftOut: ReadonlySet<string>;
}

/** Builds the lifecycle of every operation, with diagnostics of ignored extensions. Throws a SetupError for an invalid override. */
export function buildLifecycles({ table, overrides, source, leftOut }: LifecycleSources): {
  readonly lifecycles: ReadonlyMap<Operation, Lifecycle>;
  readonly diagnostics: readonly Diagnostic[];
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
    diagnostics: built.flatMap(({ diagnostics }) => diagnostics),
  };
}

function findOperation(table: OperationTable, name: string): Operation {
  const operation = table.find(name);
  if (operation) return operation;
  throw new SetupError(
    'lifecycle-option-invalid',
    `The option lifecycle names "${name}", but the document has no such operation.${table.hint(name)} "petstore-mock routes" lists them.`,
    { usage: true },
  );
}

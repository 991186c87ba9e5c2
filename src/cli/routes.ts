import type { InferenceInfo, OperationInfo } from '../core/service/service.ts';
import { formatDiagnostics } from '../document/document.ts';
import type { Mock } from '../mock/mock.ts';
import { formatDate } from './announce.ts';
import { EXPLAIN_HINT } from './explain.ts';
import { formatTable } from './table.ts';

/**
 * Formats the table of operations. Marks those that are deprecated, unstable or need credentials, and lists below the table
 * the parts of the document that are left out or ignored.
 */
export function formatRoutes({ operations, document: { notes } }: Mock): string {
  const rows = operations.map((operation) => [
    operation.method,
    operation.path,
    operation.id,
    [...toMark(operation), operation.summary].join(' '),
  ]);
  const table = formatTable([['METHOD', 'PATH', 'OPERATION', 'SUMMARY'], ...rows]);
  if (notes.length === 0) return table;
  return [table, '', ...formatDiagnostics(notes, notes.length), EXPLAIN_HINT].join('\n');
}

/**
 * Formats the table of resources, with the reason why each one has state. Lists below it the operations that stand for others, and
 * those without state.
 */
export function formatResources({ resources, inference }: Mock): string {
  if (resources.length === 0 && inference.isOff)
    return '--stateless switches all state off: every answer comes from examples and schemas.';
  const tables = [
    formatResourceTable(resources),
    formatEffects(resources),
    formatMoves(inference),
    formatStateless(inference),
  ];
  return tables.filter((text) => text !== '').join('\n\n');
}

function formatResourceTable(resources: Mock['resources']): string {
  if (resources.length === 0)
    return 'No path of the document has state: every answer comes from its examples and schemas.';
  const rows = resources.map(({ name, collectionPath, itemPath, key, actions, reason }) => [
    name,
    collectionPath,
    itemPath ?? '-',
    key ?? '-',
    actions.join(', '),
    reason,
  ]);
  return formatTable([['RESOURCE', 'COLLECTION', 'ITEM', 'KEY', 'ACTIONS', 'BECAUSE'], ...rows]);
}

/** Formats the operations that do something to an item. */
function formatEffects(resources: Mock['resources']): string {
  const rows = resources.flatMap(({ effects }) =>
    effects.map(({ method, path, sets }) => [method, path, sets.join(', ')]),
  );
  return rows.length === 0 ? '' : formatTable([['METHOD', 'PATH', 'SETS'], ...rows]);
}

function formatMoves({ moved }: InferenceInfo): string {
  if (moved.length === 0) return '';
  const rows = moved.map(({ method, path, standsFor, reason }) => [method, path, standsFor, reason]);
  return formatTable([['METHOD', 'PATH', 'STANDS FOR', 'BECAUSE'], ...rows]);
}

/** Formats the operations without state. The remedy of each one has a line of its own, because both together are too long. */
function formatStateless({ stateless }: InferenceInfo): string {
  if (stateless.length === 0) return '';
  const rows = stateless.flatMap(({ method, path, reason, remedy }) => [
    [method, path, reason],
    ...(remedy === undefined ? [] : [['', '', `  ${remedy}`]]),
  ]);
  const table = formatTable([['METHOD', 'PATH', 'WITHOUT STATE, BECAUSE'], ...rows]);
  return stateless.some(({ remedy }) => remedy !== undefined) ? `${table}\n\n${REMEDIES}` : table;
}

const REMEDIES = `An indented line gives state to the operation above it. "x-mock-resource" belongs to an operation of the
document, "resources" to the config file.`;

function toMark({ deprecated, sunset, stability, credentials }: OperationInfo): string[] {
  const marks = [
    ...(deprecated ? [sunset ? `deprecated until ${formatDate(sunset)}` : 'deprecated'] : []),
    ...(stability === undefined ? [] : [stability]),
    ...(credentials === undefined ? [] : [`needs ${credentials}`]),
  ];
  return marks.length === 0 ? [] : [`[${marks.join(', ')}]`];
}

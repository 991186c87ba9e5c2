import type { FaultRules } from '../faults/faults.ts';
import type { OperationTable } from '../operations/operations.ts';

/** Lists every response header of the mock, the document and the fault rules. */
export function toExposedHeaders({ operations }: OperationTable, { rules }: FaultRules): string[] {
  return [
    ...OWN_HEADERS,
    ...operations.flatMap(({ outline }) => outline.headerNames()),
    ...rules.flatMap(({ rule }) => Object.keys(rule.headers ?? {})),
  ];
}

/** The headers that the mock itself may add, and that pages may read only if they are exposed. */
const OWN_HEADERS = [
  'Accept',
  'Accept-Encoding',
  'Accept-Patch',
  'Allow',
  'Deprecation',
  'Link',
  'Location',
  'Preference-Applied',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'Warning',
  'X-Mock-Violations',
  'X-Stability',
  'X-Total-Count',
];

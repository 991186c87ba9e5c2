import { findNearest } from '../../base/find-nearest.ts';
import { findResponse, type Operation } from '../../model/operations/operations.ts';
import { isObject, type SchemaNode } from '../../schema/schema.ts';

/** Deeper members are not part of the error itself. */
const DEEPEST = 3;

const SHOWN_CODES = 10;

/**
 * The reason why an error code of a rule is probably mistyped, as the end of a sentence; `undefined` if it is one that the document shows for
 * the status, or if it shows none there.
 */
export function findCodeDoubt(operation: Operation, status: number, code: string): string | undefined {
  const response = findResponse(operation, status);
  // The examples of a range or of the default response may be about other statuses.
  if (response?.code !== String(status)) return undefined;
  const shown = new Set<string>();
  for (const { schema, examples } of response.contents) {
    if (schema) collectEnums(schema, shown, 0);
    for (const { value } of examples) collectCodes(value, shown, 0);
  }
  const codes = [...shown];
  if (codes.length === 0 || codes.some((each) => toPlain(each) === toPlain(code))) return undefined;
  const nearest = findNearest(code, codes);
  const more = codes.length > SHOWN_CODES ? ', ...' : '';
  const remedy =
    nearest === undefined
      ? `The document shows ${codes.slice(0, SHOWN_CODES).join(', ')}${more} there.`
      : `Did you mean ${nearest}?`;
  return `the document does not show for status ${status}. ${remedy}`;
}

/** Codes are the same in every spelling: `not_found`, `NOT_FOUND`, `notFound`. */
function toPlain(code: string): string {
  return code.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function isCodeName(name: string): boolean {
  return /^(error|err)?code$|^errorkey$/.test(toPlain(name));
}

function collectCodes(value: unknown, shown: Set<string>, depth: number): void {
  if (!isObject(value) || depth > DEEPEST) return;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string' && isCodeName(name)) shown.add(member);
    else collectCodes(member, shown, depth + 1);
  }
}

function collectEnums(schema: SchemaNode, shown: Set<string>, depth: number): void {
  if (depth > DEEPEST) return;
  for (const [name, member] of schema.allProperties) {
    const { enum: values } = member.keywords;
    if (isCodeName(name) && Array.isArray(values))
      for (const value of values) if (typeof value === 'string') shown.add(value);
    collectEnums(member, shown, depth + 1);
  }
}

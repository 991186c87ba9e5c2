import type { DocumentRoot } from '../document/document.ts';
import type { SchemaChecker } from '../schema/schema.ts';
import { isObject, resolveReference, type Schema, schemaTypes } from '../schema/schema.ts';
import { type Facts, toPlain } from './meaning.ts';

/** The first of some values that a schema takes, or what comes near it; `undefined` where nothing does. */
export type PickValue = (values: readonly unknown[], facts: Facts) => unknown;

/** Makes ready what chooses a value for a schema. */
export function buildPick(root: DocumentRoot, schemas: SchemaChecker, schema: Schema): PickValue {
  const resolved = resolveReference(root, schema);
  const accepts = buildAccepts(root, schemas, schema);
  const { maxLength, enum: members } = isObject(resolved) ? resolved : {};
  return (values, facts) => {
    const value = values.find(accepts);
    if (value !== undefined) return value;
    if (Array.isArray(members) && members.length > 0) return chooseMember(members, values, facts);
    const [text] = values;
    if (typeof maxLength !== 'number' || typeof text !== 'string') return undefined;
    const cut = text.slice(0, maxLength);
    return accepts(cut) ? cut : undefined;
  };
}

const OPEN_KEYS = new Set(['type', 'description', 'title', 'example', 'examples', 'default', 'deprecated']);

/** Most members say their type and no more, which takes no validator. */
function buildAccepts(
  root: DocumentRoot,
  schemas: SchemaChecker,
  schema: Schema,
): (value: unknown) => boolean {
  const resolved = resolveReference(root, schema);
  const keys = isObject(resolved) ? Object.keys(resolved) : [];
  if (keys.every((key) => OPEN_KEYS.has(key) || key.startsWith('x-'))) {
    const types = schemaTypes(root, resolved);
    return (value) => types.length === 0 || types.some((type) => isOfType(value, type));
  }
  return (value) => schemas.check(schema, value, '').length === 0;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  // What the items of a list must be is not looked at here.
  return type !== 'array' && type !== 'object' && typeof value === type;
}

/** The member of an enum that says it, whatever its spelling; else the first one. */
function chooseMember(members: readonly unknown[], values: readonly unknown[], facts: Facts): unknown {
  const words = [...values, ...(SYNONYMS[facts.status] ?? []), ...FAILURES].map((value) =>
    toPlain(String(value)),
  );
  const plain = members.map((member) => toPlain(String(member)));
  for (const word of words) {
    const place = plain.indexOf(word);
    if (place >= 0) return members[place];
  }
  const code = toPlain(facts.code);
  const near = plain.findIndex((word) => word.length > 3 && (code.includes(word) || word.includes(code)));
  return members[Math.max(near, 0)];
}

const FAILURES = ['error', 'fail', 'failure', 'failed'];

/** What other services call a status. */
const SYNONYMS: Readonly<Record<number, readonly string[]>> = {
  400: ['invalid_argument', 'invalid_request', 'invalid', 'invalid_request_error', 'validation_error'],
  401: ['unauthenticated', 'authentication_error'],
  403: ['permission_denied', 'access_denied'],
  404: ['resource_not_found', 'missing', 'not_found_error'],
  409: ['already_exists', 'aborted'],
  422: ['validation_error', 'invalid_argument', 'invalid', 'invalid_request_error'],
  429: ['resource_exhausted', 'rate_limited', 'rate_limit_exceeded', 'rate_limit_error'],
  500: ['internal', 'internal_error', 'server_error', 'api_error'],
  501: ['unimplemented'],
  503: ['unavailable'],
  504: ['deadline_exceeded', 'timeout'],
};

import type { SchemaChecker, SchemaNode } from '../../schema/schema.ts';
import type { Facts } from './facts.ts';
import { normalizeName } from './member-names.ts';

/** Chooses the first value that a schema accepts, or a similar one; `undefined` if none fits. */
type PickValue = (values: readonly unknown[], facts: Facts) => unknown;

/** Prepares the choice of a value for a schema. */
export function buildPick(schemas: SchemaChecker, schema: SchemaNode): PickValue {
  const accepts = buildAccepts(schemas, schema);
  const { maxLength, enum: members } = schema.keywords;
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

/** Checks values by type alone where a schema has no other keyword, which needs no validator. */
function buildAccepts(schemas: SchemaChecker, schema: SchemaNode): (value: unknown) => boolean {
  const { keywords, types } = schema;
  if (Object.keys(keywords).every((key) => OPEN_KEYS.has(key) || key.startsWith('x-'))) {
    return (value) => types.length === 0 || types.some((type) => isOfType(value, type));
  }
  return (value) => schemas.check(schema, value, '').length === 0;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  // Lists and objects need a validator.
  return type !== 'array' && type !== 'object' && typeof value === type;
}

/** The member of an enum that matches in any spelling, else the first one. */
function chooseMember(members: readonly unknown[], values: readonly unknown[], facts: Facts): unknown {
  const words = [...values, ...(STATUS_SYNONYMS[facts.status] ?? []), ...FAILURES].map((value) =>
    normalizeName(String(value)),
  );
  const plain = members.map((member) => normalizeName(String(member)));
  for (const word of words) {
    const place = plain.indexOf(word);
    if (place >= 0) return members[place];
  }
  const code = normalizeName(facts.code);
  const near = plain.findIndex((word) => word.length > 3 && (code.includes(word) || word.includes(code)));
  return members[Math.max(near, 0)];
}

const FAILURES = ['error', 'fail', 'failure', 'failed'];

/** Names of a status in other services. */
const STATUS_SYNONYMS: Readonly<Record<number, readonly string[]>> = {
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

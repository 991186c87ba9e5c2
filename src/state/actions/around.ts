import type { Operation } from '../../model/operations/operations.ts';
import { toSnake } from '../../model/resources/resources.ts';
import type { SchemaNode } from '../../schema/schema.ts';
import { isJsonObject, memberOf, omit, withMember } from './json-object.ts';
import type { ViewParts } from './view.ts';

/** Generates the envelope of a successful answer, whose members report success. `path` leads to the wrapped value. */
export function generateAround(
  parts: ViewParts,
  { label, successStatus }: Operation,
  schema: SchemaNode,
  path: readonly string[],
): unknown {
  const made = parts.generate(schema, `${label} around`);
  return withSuccess(parts, schema, made, { status: successStatus, wrapped: path[0] });
}

interface Success {
  readonly status: number;
  /** The member that is not part of the envelope. */
  readonly wrapped: string | undefined;
}

function withSuccess(parts: ViewParts, schema: SchemaNode, made: unknown, success: Success): unknown {
  if (!isJsonObject(made)) return made;
  let value: unknown = made;
  for (const [name, member] of schema.sharedProperties) {
    if (name === success.wrapped) continue;
    const own = memberOf(made, name);
    if (isJsonObject(own) && GROUPS.test(toSnake(name)))
      value = withMember(value, [name], withSuccess(parts, member, own, { ...success, wrapped: undefined }));
    else if (isJsonObject(value)) value = withRoleValue(parts, schema, value, name, success);
  }
  return value;
}

/** The names of objects in an envelope that report the result. */
const GROUPS = /^(meta|status|header)$/;

function withRoleValue(
  { schemas }: ViewParts,
  schema: SchemaNode,
  value: Readonly<Record<string, unknown>>,
  name: string,
  { status }: Success,
): unknown {
  const member = schema.at([name]);
  const [, role] = ENVELOPE_ROLES.find(([names]) => names.test(toSnake(name))) ?? [];
  const isFlag = member.types.includes('boolean');
  // The author's own value is better than a guess from the name.
  if (!role || (!isFlag && hasAuthoredValue(member))) return value;
  if (role === 'failure' && !schema.required.includes(name)) return omit(value, [name]);
  const found = VALUES[role](status).find((each) => schemas.check(member, each, '').length === 0);
  return found === undefined ? value : withMember(value, [name], found);
}

function hasAuthoredValue({ keywords: { examples, default: usual, const: only } }: SchemaNode): boolean {
  return Array.isArray(examples) || usual !== undefined || only !== undefined;
}

type EnvelopeRole = 'flag' | 'status' | 'message' | 'failure';

const ENVELOPE_ROLES: readonly (readonly [name: RegExp, role: EnvelopeRole])[] = [
  [/^(is_)?(success|ok|successful|succeeded)$/, 'flag'],
  [/^(http_)?(status|code)(_code)?$/, 'status'],
  [/^(message|msg|status_(text|message))$/, 'message'],
  [/^(is_|has_)?errors?(_(code|message|msg))?$/, 'failure'],
];

/** Values for each role, the best first. */
const VALUES: Readonly<Record<EnvelopeRole, (status: number) => readonly unknown[]>> = {
  flag: () => [true, 'true', 1, 'success'],
  status: (status) => [status, true, 'success', 'ok', 'SUCCESS', 'OK', 'Success', 'Ok', String(status), 0],
  message: () => ['Success', 'success', 'OK', 'ok'],
  failure: () => [null, false, [], 0, ''],
};

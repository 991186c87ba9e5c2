import type { SchemaNode } from '../../schema/schema.ts';
import { type ItemVerb, toPlain } from './item-verbs.ts';
import type { Edit } from './model.ts';

type Property = readonly [property: string, schema: SchemaNode];

/** Finds the properties that a verb changes in an entity: of each kind the only one that fits, or none. */
export function toEdits(verb: ItemVerb, schema: SchemaNode): Edit[] {
  const members = [...schema.sharedProperties];
  const state = toStateEdit(verb, members);
  const counter = typeof state?.value === 'boolean' ? toCountEdit(verb, members, state) : undefined;
  return [state, counter, ...toTimeEdits(verb, members)].flatMap((edit) => edit ?? []);
}

/** An edit that sets a value. */
type ValueEdit = Extract<Edit, { readonly kind: 'value' }>;

function toStateEdit(verb: ItemVerb, members: readonly Property[]): ValueEdit | undefined {
  return toEnumEdit(verb, members) ?? toResetEdit(verb, members) ?? toFlagEdit(verb, members);
}

function toEnumEdit({ forms }: ItemVerb, members: readonly Property[]): ValueEdit | undefined {
  const [property, schema] = findOnly(members, (each) => findStateValue(each, forms) !== undefined) ?? [];
  const value = schema && findStateValue(schema, forms);
  return property === undefined || value === undefined ? undefined : { kind: 'value', property, value };
}

/** Undoes a state without an opposite by the state in which entities begin. */
function toResetEdit({ opposites, undoes }: ItemVerb, members: readonly Property[]): ValueEdit | undefined {
  if (!undoes) return undefined;
  const [property, schema] = findOnly(members, (each) => findStateValue(each, opposites) !== undefined) ?? [];
  const from = schema && findStateValue(schema, opposites);
  if (property === undefined || !schema || from === undefined) return undefined;
  const value = [schema.keywords.default, ...textsOf(schema)].find((each) => typeof each === 'string');
  return typeof value !== 'string' || value === from ? undefined : { kind: 'value', property, value, from };
}

function toFlagEdit(verb: ItemVerb, members: readonly Property[]): ValueEdit | undefined {
  const { base, forms, opposites, undoes, isKnown } = verb;
  const bases = isKnown ? [base] : [];
  const find = (names: readonly string[]) =>
    findOnly(members, (schema, name) => isOnly(schema, 'boolean') && names.includes(toFlagName(name)))?.[0];
  const set = find(undoes ? forms : [...forms, ...bases]);
  if (set !== undefined) return { kind: 'value', property: set, value: true };
  const unset = find(undoes ? [...opposites, ...bases] : opposites);
  return unset === undefined ? undefined : { kind: 'value', property: unset, value: false };
}

/** `isFollowing`, `liked_by_me` and `viewer_has_starred` → `following`, `liked` and `starred` */
function toFlagName(name: string): string {
  return toPlain(name)
    .replace(/^((current|user|viewer|is|has|was|been)_)+/, '')
    .replace(/_by_(me|you|user|viewer|current_user)$/, '');
}

function toCountEdit({ base }: ItemVerb, members: readonly Property[], state: ValueEdit): Edit | undefined {
  const agent = base.replace(/e$/, '');
  const noun = `(${base}|${base}s|${agent}ers?)`;
  const pattern = new RegExp(
    `^(${noun}_(counts?|total)|${base}s|${agent}ers|(num|number_of|total)_${noun})$`,
  );
  const found = findOnly(
    members,
    (schema, name) => (isOnly(schema, 'integer') || isOnly(schema, 'number')) && pattern.test(toPlain(name)),
  );
  return found && { kind: 'count', property: found[0], beside: state.property, by: state.value ? 1 : -1 };
}

function toTimeEdits({ forms, opposites }: ItemVerb, members: readonly Property[]): Edit[] {
  const find = (names: readonly string[]) =>
    findOnly(members, (schema, name) => isOnly(schema, 'string') && names.includes(toTimeName(name)));
  const [now, never] = [find(forms), find(opposites)];
  return [
    ...(now ? [{ kind: 'time', property: now[0] } as const] : []),
    ...(never?.[1].isNullable ? [{ kind: 'value', property: never[0], value: null } as const] : []),
  ];
}

/** `cancelledAt` and `date_cancelled` → `cancelled`; empty for the name of no time. */
function toTimeName(name: string): string {
  const [, behind, before] = /^(?:(\w+)_(?:at|on|date|time|timestamp)|date_(\w+))$/.exec(toPlain(name)) ?? [];
  return behind ?? before ?? '';
}

/** The value of an enum that one of the forms names, in any spelling. */
function findStateValue(schema: SchemaNode, forms: readonly string[]): string | undefined {
  if (!isOnly(schema, 'string')) return undefined;
  const values = textsOf(schema);
  const named = forms.flatMap((form) => values.find((value) => toPlain(value) === form) ?? []);
  return named[0];
}

function textsOf({ parts }: SchemaNode): string[] {
  const lists = parts.map(({ definition }) => definition.enum).filter(Array.isArray);
  return lists.flat().filter((value) => typeof value === 'string');
}

function isOnly({ types }: SchemaNode, type: string): boolean {
  return types.length === 1 && types[0] === type;
}

/** The member that fits, if no other one does. */
function findOnly(
  members: readonly Property[],
  fits: (schema: SchemaNode, name: string) => boolean,
): Property | undefined {
  const [only, ...others] = members.filter(([name, schema]) => fits(schema, name));
  return others.length === 0 ? only : undefined;
}

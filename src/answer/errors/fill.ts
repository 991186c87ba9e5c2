import { once } from '../../base/once.ts';
import type { Schema, SchemaChecker, SchemaNode } from '../../schema/schema.ts';
import type { Facts } from './facts.ts';
import { buildErrorList, buildFieldMap, type Fill, type Filled } from './list.ts';
import { findMeaning, type Kin } from './meaning.ts';
import { isListName, isMessageName, isWrapperName } from './member-names.ts';
import { buildPick } from './pick.ts';
import { withPlainTexts } from './plain-texts.ts';

export interface FillParts {
  readonly schemas: SchemaChecker;
  /** Generates a value for a schema, the same for the same name; `undefined` on failure. */
  readonly generate: (schema: SchemaNode, name: string) => unknown;
}

/** A location in a schema. */
interface SchemaPlace extends FillParts {
  readonly name: string;
  /** Whether it belongs to an item of a list of errors. */
  readonly item: boolean;
  /** The enclosing schemas, to stop at a recursive one. */
  readonly above: readonly Schema[];
}

/** Prepares the filling of a schema, once for all answers. */
export function buildFill(parts: FillParts, schema: SchemaNode, name: string): Fill {
  return buildValue({ ...parts, name, item: false, above: [] }, schema);
}

/** Real error schemas are shallower. */
const DEEPEST = 6;

const NO_FILL: Fill = () => undefined;

function buildValue(around: SchemaPlace, { target }: SchemaNode): Fill {
  const { above, schemas } = around;
  if (above.includes(target.definition) || above.length > DEEPEST) return NO_FILL;
  const place = { ...around, above: [...above, target.definition] };
  const { branches, types } = target;
  if (branches.length === 0) return buildTyped(place, target, types);
  const fills = branches.map((branch) =>
    buildTyped(place, target.and(branch), branch.types.length > 0 ? branch.types : types),
  );
  return (facts) => {
    const filled = fills.flatMap((fill) => fill(facts) ?? []);
    const valid = filled.filter(({ value }) => schemas.check(target, value, '').length === 0);
    // If the alternatives overlap, no value matches exactly one, so the most informative is best.
    const best = above.length === 0 ? filled.find(({ says }) => says) : undefined;
    return valid.find(({ says }) => says) ?? valid[0] ?? best;
  };
}

function buildTyped(place: SchemaPlace, schema: SchemaNode, types: readonly string[]): Fill {
  if (types.includes('object') || (types.length === 0 && schema.properties.size > 0)) {
    return buildObject(place, schema);
  }
  if (types.includes('array')) return buildItems(place, schema, { required: true, message: false });
  if (types.length === 0) return buildObject(place, schema);
  const pick = buildPick(place.schemas, schema);
  return (facts) => {
    const { message, code, status } = facts;
    const text = place.item ? toItemText(facts) : message;
    const value = pick([text, message, code, status], facts);
    return value === undefined ? undefined : { value, says: typeof value === 'string' };
  };
}

function buildObject(place: SchemaPlace, schema: SchemaNode): Fill {
  const properties = [...schema.properties];
  if (properties.length === 0)
    return schema.keywords.additionalProperties === false ? NO_FILL : buildFree(place, schema);
  const { required } = schema;
  const hasType = ({ types }: SchemaNode, type: string) => types.length === 0 || types.includes(type);
  const names = properties.map(([name]) => name);
  const kin = {
    item: place.item,
    message: properties.some(([name, member]) => isMessageName(name) && hasType(member, 'string')),
    numericCode: properties.some(([name, member]) => /^code$/i.test(name) && !hasType(member, 'string')),
    problemDetails: ['title', 'detail', 'instance'].filter((name) => names.includes(name)).length > 1,
  };
  const members = properties
    .filter(([, member]) => !member.isMarked('writeOnly'))
    .map(([name, member]): [string, Fill] => [
      name,
      buildMember(place, name, member, { ...kin, required: required.includes(name) }),
    ]);
  return (facts) => {
    const filled = members.flatMap(([name, fill]): [string, Filled][] => {
      const member = fill(facts);
      return member ? [[name, member]] : [];
    });
    return {
      value: Object.fromEntries(filled.map(([name, { value }]) => [name, value])),
      says: filled.some(([, { says }]) => says),
    };
  };
}

/** An object of a schema without named members. */
function buildFree(place: SchemaPlace, schema?: SchemaNode): Fill {
  const { item } = place;
  const members = schema?.additionalProperties;
  if (members && members.types.length > 0) return buildMap(place, members);
  return ({ code, message, status, violation }) => {
    if (!item) return { value: { code, message, status }, says: true };
    return { value: violation ? { ...violation } : { code, message }, says: true };
  };
}

/** Fills a map of values of one kind with the facts of the error of this kind, or with a list or an object of all of them. */
function buildMap(place: SchemaPlace, members: SchemaNode): Fill {
  const pick = buildPick(place.schemas, members);
  const whole = buildValue(place, members);
  return (facts) => {
    const { code, message, status, violation } = facts;
    const known = { ...(violation && { location: violation.location }), code, message, status };
    const fits = Object.entries(known).flatMap(([name, value]): [string, unknown][] => {
      const fitting = pick([value, String(value)], facts);
      return fitting === undefined ? [] : [[name, fitting]];
    });
    if (fits.length > 0) return { value: Object.fromEntries(fits), says: true };
    const filled = whole(facts);
    return filled && { value: { error: filled.value }, says: filled.says };
  };
}

function buildMember(place: SchemaPlace, name: string, schema: SchemaNode, kin: Kin): Fill {
  const meaning = findMeaning(name, kin);
  const pick = meaning ? buildPick(place.schemas, schema) : undefined;
  const nested = buildNested(place, name, schema, kin);
  const spare = kin.required ? buildSpare(place, name, schema, kin) : NO_FILL;
  return (facts) => {
    const value = meaning && pick?.(meaning.values(facts, kin), facts);
    if (meaning && value !== undefined) return { value, says: meaning.says };
    return nested(facts) ?? spare(facts);
  };
}

/** Generates a required member without a known meaning, and replaces its texts. */
function buildSpare(place: SchemaPlace, name: string, schema: SchemaNode, { message }: Kin): Fill {
  const { generate, schemas, name: above } = place;
  const made = once(() => generate(schema, `${above} ${name}`));
  return (facts) => {
    const value = made();
    if (value === undefined) return undefined;
    return { value: withPlainTexts({ schemas, facts, message }, schema, value), says: false };
  };
}

function buildNested(around: SchemaPlace, name: string, schema: SchemaNode, kin: Kin): Fill {
  const place = { ...around, name: `${around.name} ${name}` };
  const { types, target } = schema;
  if (isListName(name) && (types.includes('array') || types.length === 0)) {
    return buildItems(place, target, kin);
  }
  if (!types.includes('object')) return NO_FILL;
  if (target.properties.size === 0 && isListName(name)) return buildFieldMap(target, kin);
  // Fills wrappers only, because other members may be whole entities.
  if (!isWrapperName(name) && !(kin.item && findMeaning(name, kin))) return NO_FILL;
  const fill = buildValue(place, schema);
  return (facts) => {
    const filled = fill(facts);
    return kin.required || filled?.says || facts.violation ? filled : undefined;
  };
}

function buildItems(place: SchemaPlace, schema: SchemaNode, kin: Pick<Kin, 'required' | 'message'>): Fill {
  const itemPlace = { ...place, item: true };
  const each = schema.items ? buildValue(itemPlace, schema.items) : buildFree(itemPlace);
  // An item has no further violations, and must not repeat its message.
  return buildErrorList(each, schema, place.item ? { ...kin, message: true } : kin);
}

/** The text of an item that is a string. */
function toItemText({ violation, message }: Facts): string {
  return violation ? `${violation.location}: ${violation.message}` : message;
}

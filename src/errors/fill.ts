import type { DocumentRoot } from '../document/document.ts';
import { once } from '../once.ts';
import type { SchemaChecker } from '../schema/schema.ts';
import {
  isObject,
  resolveReference,
  type Schema,
  schemaProperties,
  schemaRequired,
  schemaTypes,
} from '../schema/schema.ts';
import type { Facts } from './facts.ts';
import { buildErrorList, buildFieldMap, type Fill, type Filled } from './list.ts';
import { findMeaning, type Kin } from './meaning.ts';
import { isListName, isMessageName, isWrapperName } from './member-names.ts';
import { buildPick } from './pick.ts';

export interface FillParts {
  readonly root: DocumentRoot;
  readonly schemas: SchemaChecker;
  /** Generates a value for a schema, the same for the same name; `undefined` on failure. */
  readonly generate: (schema: Schema, name: string) => unknown;
}

/** A location in a schema. */
interface SchemaPlace extends FillParts {
  readonly name: string;
  /** Whether it belongs to an item of a list of errors. */
  readonly item: boolean;
  /** The enclosing schemas, to stop at a recursive one. */
  readonly above: readonly unknown[];
}

/** Prepares the filling of a schema, once for all answers. */
export function buildFill(parts: FillParts, schema: Schema, name: string): Fill {
  return buildValue({ ...parts, name, item: false, above: [] }, schema);
}

/** Real error schemas are shallower. */
const DEEPEST = 6;

const NO_FILL: Fill = () => undefined;

function buildValue(around: SchemaPlace, schema: unknown): Fill {
  const { root, above, schemas } = around;
  const resolved = resolveReference(root, schema);
  if (!isObject(resolved) || above.includes(resolved) || above.length > DEEPEST) return NO_FILL;
  const place = { ...around, above: [...above, resolved] };
  const branches = findBranches(root, resolved);
  if (branches.length === 0) return buildTyped(place, resolved, schemaTypes(root, resolved));
  const fills = branches.map((branch) => {
    const types = schemaTypes(root, branch);
    const whole = { allOf: [resolved, branch] };
    return buildTyped(place, whole, types.length > 0 ? types : schemaTypes(root, resolved));
  });
  return (facts) => {
    const filled = fills.flatMap((fill) => fill(facts) ?? []);
    const valid = filled.filter(({ value }) => schemas.check(resolved, value, '').length === 0);
    // If the alternatives overlap, no value matches exactly one, so the most informative is best.
    const best = above.length === 0 ? filled.find(({ says }) => says) : undefined;
    return valid.find(({ says }) => says) ?? valid[0] ?? best;
  };
}

/** The alternatives of a schema, its own or those of an `allOf` part. */
function findBranches(root: DocumentRoot, schema: Record<string, unknown>, depth = 0): readonly unknown[] {
  const own = [schema.oneOf, schema.anyOf].find((list) => Array.isArray(list) && list.length > 0);
  if (own) return own as unknown[];
  const parts = Array.isArray(schema.allOf) && depth < 5 ? schema.allOf : [];
  return (
    parts
      .map((part) => resolveReference(root, part))
      .map((part) => (isObject(part) ? findBranches(root, part, depth + 1) : []))
      .find((branches) => branches.length > 0) ?? []
  );
}

function buildTyped(place: SchemaPlace, schema: Schema, types: readonly string[]): Fill {
  if (types.includes('object') || (types.length === 0 && schemaProperties(place.root, schema).size > 0)) {
    return buildObject(place, schema);
  }
  if (types.includes('array')) return buildItems(place, schema, { required: true, message: false });
  if (types.length === 0) return buildObject(place, schema);
  const pick = buildPick(place.root, place.schemas, schema);
  return (facts) => {
    const { message, code, status } = facts;
    const text = place.item ? toItemText(facts) : message;
    const value = pick([text, message, code, status], facts);
    return value === undefined ? undefined : { value, says: typeof value === 'string' };
  };
}

function buildObject(place: SchemaPlace, schema: Schema): Fill {
  const { root } = place;
  const properties = [...schemaProperties(root, schema)];
  if (properties.length === 0) return schema.additionalProperties === false ? NO_FILL : buildFree(place);
  const required = schemaRequired(root, schema);
  const hasType = (member: unknown, type: string) => {
    const types = schemaTypes(root, member);
    return types.length === 0 || types.includes(type);
  };
  const names = properties.map(([name]) => name);
  const kin = {
    item: place.item,
    message: properties.some(([name, member]) => isMessageName(name) && hasType(member, 'string')),
    numericCode: properties.some(([name, member]) => /^code$/i.test(name) && !hasType(member, 'string')),
    problemDetails: ['title', 'detail', 'instance'].filter((name) => names.includes(name)).length > 1,
  };
  const members = properties
    .filter(([, member]) => !(isObject(member) && member.writeOnly === true))
    .map(([name, member]): [string, Fill] => [
      name,
      buildMember(place, name, member as Schema, { ...kin, required: required.includes(name) }),
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
function buildFree({ item }: SchemaPlace): Fill {
  return ({ code, message, status, violation }) => {
    if (!item) return { value: { code, message, status }, says: true };
    return { value: violation ? { ...violation } : { code, message }, says: true };
  };
}

function buildMember(place: SchemaPlace, name: string, schema: Schema, kin: Kin): Fill {
  const meaning = findMeaning(name, kin);
  const pick = meaning ? buildPick(place.root, place.schemas, schema) : undefined;
  const nested = buildNested(place, name, schema, kin);
  const spare = kin.required ? buildSpare(place, name, schema) : NO_FILL;
  return (facts) => {
    const value = meaning && pick?.(meaning.values(facts, kin), facts);
    if (meaning && value !== undefined) return { value, says: meaning.says };
    return nested(facts) ?? spare(facts);
  };
}

/** Generates a required member without a known meaning. */
function buildSpare({ generate, name: above }: SchemaPlace, name: string, schema: Schema): Fill {
  return once(() => {
    const value = generate(schema, `${above} ${name}`);
    return value === undefined ? undefined : { value, says: false };
  });
}

function buildNested(around: SchemaPlace, name: string, schema: Schema, kin: Kin): Fill {
  const place = { ...around, name: `${around.name} ${name}` };
  const { root } = place;
  const types = schemaTypes(root, schema);
  const resolved = resolveReference(root, schema) as Schema;
  if (isListName(name) && (types.includes('array') || types.length === 0)) {
    return buildItems(place, resolved, kin);
  }
  if (!types.includes('object')) return NO_FILL;
  if (schemaProperties(root, resolved).size === 0 && isListName(name))
    return buildFieldMap(root, resolved, kin);
  // Fills wrappers only, because other members may be whole entities.
  if (!isWrapperName(name) && !(kin.item && findMeaning(name, kin))) return NO_FILL;
  const fill = buildValue(place, schema);
  return (facts) => {
    const filled = fill(facts);
    return kin.required || filled?.says || facts.violation ? filled : undefined;
  };
}

function buildItems(place: SchemaPlace, schema: Schema, kin: Pick<Kin, 'required' | 'message'>): Fill {
  const { items = {} } = schema;
  const each = buildValue({ ...place, item: true }, Array.isArray(items) ? items[0] : items);
  // An item has no further violations, and must not repeat its message.
  return buildErrorList(each, schema, place.item ? { ...kin, message: true } : kin);
}

/** The text of an item that is a string. */
function toItemText({ violation, message }: Facts): string {
  return violation ? `${violation.location}: ${violation.message}` : message;
}

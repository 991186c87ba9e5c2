import type { DocumentRoot } from '../document/document.ts';
import type { SchemaChecker } from '../schema/schema.ts';
import {
  isObject,
  resolveReference,
  type Schema,
  schemaProperties,
  schemaRequired,
  schemaTypes,
} from '../schema/schema.ts';
import { buildList, buildMap, type Fill, type Filled } from './list.ts';
import { type Facts, findMeaning, isListName, isMessageName, isWrapperName, type Kin } from './meaning.ts';
import { buildPick } from './pick.ts';

export interface FillParts {
  readonly root: DocumentRoot;
  readonly schemas: SchemaChecker;
  /** A value for a schema, the same for the same name; `undefined` if none is found. */
  readonly generate: (schema: Schema, name: string) => unknown;
}

/** A place in a schema. */
interface Place extends FillParts {
  readonly name: string;
  /** It belongs to an item of a list of errors. */
  readonly item: boolean;
  /** The schemas around it, so that one without end is left at the second round. */
  readonly above: readonly unknown[];
}

/** Makes ready what fills a schema, once for all answers. */
export function buildFill(parts: FillParts, schema: Schema, name: string): Fill {
  return buildValue({ ...parts, name, item: false, above: [] }, schema);
}

/** No error lies deeper. */
const DEEPEST = 6;

const NOTHING: Fill = () => undefined;

function buildValue(around: Place, schema: unknown): Fill {
  const { root, above, schemas } = around;
  const resolved = resolveReference(root, schema);
  if (!isObject(resolved) || above.includes(resolved) || above.length > DEEPEST) return NOTHING;
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
    // Where no alternative excludes another one no value is valid, and what says something is the best there is.
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

function buildTyped(place: Place, schema: Schema, types: readonly string[]): Fill {
  if (types.includes('object') || (types.length === 0 && schemaProperties(place.root, schema).size > 0)) {
    return buildObject(place, schema);
  }
  if (types.includes('array')) return buildItems(place, schema, { required: true, message: false });
  if (types.length === 0) return buildObject(place, schema);
  const pick = buildPick(place.root, place.schemas, schema);
  return (facts) => {
    const { message, code, status } = facts;
    const text = place.item ? toSentence(facts) : message;
    const value = pick([text, message, code, status], facts);
    return value === undefined ? undefined : { value, says: typeof value === 'string' };
  };
}

function buildObject(place: Place, schema: Schema): Fill {
  const { root } = place;
  const properties = [...schemaProperties(root, schema)];
  if (properties.length === 0) return schema.additionalProperties === false ? NOTHING : buildFree(place);
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

/** An object whose members the schema leaves open. */
function buildFree({ item }: Place): Fill {
  return ({ code, message, status, violation }) => {
    if (!item) return { value: { code, message, status }, says: true };
    return { value: violation ? { ...violation } : { code, message }, says: true };
  };
}

function buildMember(place: Place, name: string, schema: Schema, kin: Kin): Fill {
  const meaning = findMeaning(name, kin);
  const pick = meaning ? buildPick(place.root, place.schemas, schema) : undefined;
  const nested = buildNested(place, name, schema, kin);
  const spare = kin.required ? buildSpare(place, name, schema) : NOTHING;
  return (facts) => {
    const value = meaning && pick?.(meaning.values(facts, kin), facts);
    if (meaning && value !== undefined) return { value, says: meaning.says };
    return nested(facts) ?? spare(facts);
  };
}

/** What is required and means nothing here. */
function buildSpare({ generate, name: above }: Place, name: string, schema: Schema): Fill {
  let spare: Filled | undefined;
  return () => {
    spare ??= { value: generate(schema, `${above} ${name}`), says: false };
    return spare.value === undefined ? undefined : spare;
  };
}

function buildNested(around: Place, name: string, schema: Schema, kin: Kin): Fill {
  const place = { ...around, name: `${around.name} ${name}` };
  const { root } = place;
  const types = schemaTypes(root, schema);
  const resolved = resolveReference(root, schema) as Schema;
  if (isListName(name) && (types.includes('array') || types.length === 0)) {
    return buildItems(place, resolved, kin);
  }
  if (!types.includes('object')) return NOTHING;
  if (schemaProperties(root, resolved).size === 0 && isListName(name)) return buildMap(root, resolved, kin);
  // Only what may hold the error is looked into: beside it may stand whole entities.
  if (!isWrapperName(name) && !(kin.item && findMeaning(name, kin))) return NOTHING;
  const fill = buildValue(place, schema);
  return (facts) => {
    const filled = fill(facts);
    return kin.required || filled?.says || facts.violation ? filled : undefined;
  };
}

function buildItems(place: Place, schema: Schema, kin: Pick<Kin, 'required' | 'message'>): Fill {
  const { items = {} } = schema;
  const each = buildValue({ ...place, item: true }, Array.isArray(items) ? items[0] : items);
  // Within an item there are no further violations, and no need to say the same again.
  return buildList(each, schema, place.item ? { ...kin, message: true } : kin);
}

/** The text for an item that is no object. */
function toSentence({ violation, message }: Facts): string {
  return violation ? `${violation.location}: ${violation.message}` : message;
}

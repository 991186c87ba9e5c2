import { isObject, type SchemaNode, type SchemaNodes, toSchemaText } from '../../schema/schema.ts';
import { toSnake } from './snake-case.ts';
import { indexNames } from './words.ts';

/** The position of an entity, or of a list of entities, in an answer. */
export interface EntityShape {
  /** The properties that lead to it; empty if it is the whole answer. */
  readonly path: readonly string[];
  /** The schema of an entity. */
  readonly schema: SchemaNode;
}

/** Finds the object that `isEntity` accepts: the whole value, or a property that `names` or a customary wrapper names. */
export function findEntityShape(
  schema: SchemaNode | undefined,
  isEntity: (properties: SchemaNodes) => boolean,
  names: readonly string[],
): EntityShape | undefined {
  if (!schema || !isObjectSchema(schema)) return undefined;
  const properties = schema.sharedProperties;
  if (isEntity(properties)) return { path: [], schema };
  const members = byNames(properties, [...names, ...WRAPPERS]);
  const found =
    members.find(([, member]) => isObjectSchema(member) && isEntity(member.sharedProperties)) ??
    members.find(([, member]) => isOpenSchema(member)) ??
    findOnlyOpen(properties);
  return found && { path: [found[0]], schema: found[1] };
}

/** Finds the one open member of an envelope, next to members that any envelope may have. */
function findOnlyOpen(properties: SchemaNodes): [string, SchemaNode] | undefined {
  if (properties.size < 2) return undefined;
  let only: [string, SchemaNode] | undefined;
  for (const member of properties) {
    if (ENVELOPE_NAMES.test(toSnake(member[0]))) continue;
    if (only) return undefined;
    only = member;
  }
  return only && isOpenSchema(only[1]) ? only : undefined;
}

const ENVELOPE_NAMES =
  /^(success|is_success|ok|(http_)?status(_code|_text)?|code|message|msg|errors?|error_(code|message)|timestamp|time|path|meta|metadata|version|(request|trace)_id)$/;

/** The only object in an envelope that a name or a customary wrapper gives away; the schema itself where there is none. */
export function withoutEnvelope(schema: SchemaNode, name: string): SchemaNode {
  const [found] = byNames(schema.sharedProperties, [name, ...WRAPPERS]);
  return found && schema.sharedProperties.size === 1 && isObjectSchema(found[1]) ? found[1] : schema;
}

const WRAPPERS = ['data', 'item', 'result', 'entity', 'payload', 'response'];
const LISTS = 'data items results result records entries content values list rows hits'.split(' ');
const CONTAINERS = ['data', '_embedded', 'result', 'response', 'payload', 'page'];

/** Finds the list under one of `names` or a customary name, else the only list of objects. */
export function findListShape(
  schema: SchemaNode | undefined,
  names: readonly string[],
): EntityShape | undefined {
  if (!schema) return undefined;
  const customary = findCustomaryListShape(schema, names);
  if (customary || !isObjectSchema(schema)) return customary;
  const lists = [...schema.properties].flatMap(([name, member]) => {
    const items = itemsOf(member);
    return items && isObjectSchema(items) ? [{ path: [name], schema: items }] : [];
  });
  return lists.length === 1 ? lists[0] : undefined;
}

/** Finds the list if the schema is an array, or has one under one of `names` or a customary name. */
export function findCustomaryListShape(
  schema: SchemaNode,
  names: readonly string[],
  depth = 0,
): EntityShape | undefined {
  const own = itemsOf(schema);
  if (own) return { path: [], schema: own };
  const lists = byNames(schema.properties, [...names, ...LISTS]).flatMap(([name, member]) => {
    const items = itemsOf(member);
    return items ? [{ path: [name], schema: items }] : [];
  });
  if (lists[0]) return lists[0];
  if (depth > 0) return undefined;
  for (const [name, member] of byNames(schema.properties, CONTAINERS)) {
    const inner = findCustomaryListShape(member, names, depth + 1);
    if (inner) return { path: [name, ...inner.path], schema: inner.schema };
  }
  return undefined;
}

/**
 * Finds the open member of an envelope that can only be the list. If it must be an object, the list is a member of that object.
 */
export function findOpenListShape(
  schema: SchemaNode | undefined,
  names: readonly string[],
): EntityShape | undefined {
  if (!schema) return undefined;
  const members = byNames(schema.properties, [...names, ...LISTS, ...WRAPPERS]);
  const only = findOnlyOpen(schema.properties);
  const open = [...members, ...(only ? [only] : [])].filter(([, member]) => isOpenSchema(member));
  const found = open.find(([, { types }]) => types.length === 0 || types.includes('array')) ?? open[0];
  if (!found) return undefined;
  const [name, member] = found;
  const mustBeObject = member.types.length > 0 && !member.types.includes('array');
  return { path: mustBeObject ? [name, USUAL_LIST_NAME] : [name], schema: member };
}

/** The name of a list in an open object. */
const USUAL_LIST_NAME = 'items';

/** Whether a schema allows any object. */
export function isOpenSchema({ keywords }: SchemaNode): boolean {
  const { additionalProperties = true } = keywords;
  const limits = LIMITING.filter((keyword) => keyword in keywords);
  // NestJS gives classes without decorators an empty `properties`.
  const isFree = isAnything(additionalProperties) && limits.every((each) => isEmptyMapping(keywords[each]));
  return isFree && [keywords.type ?? 'object'].flat().includes('object');
}

function isEmptyMapping(value: unknown): boolean {
  return isObject(value) && !Array.isArray(value) && Object.keys(value).length === 0;
}

/** Whether a schema is `true`, or empty apart from annotations. */
function isAnything(schema: unknown): boolean {
  return schema === true || (isObject(schema) && toSchemaText(schema) === '{}');
}

/** The keywords that constrain objects. */
const LIMITING = ['properties', 'allOf', 'oneOf', 'anyOf', 'enum', 'const', 'not', '$ref'];

/** Whether a schema describes objects, by its type or by its properties. */
export function isObjectSchema({ types, sharedProperties }: SchemaNode): boolean {
  return types.includes('object') || (types.length === 0 && sharedProperties.size > 0);
}

/** The schema of the items of a list; one that allows everything if the list declares none. */
function itemsOf(schema: SchemaNode): SchemaNode | undefined {
  if (!schema.types.includes('array') || Array.isArray(schema.keywords.items)) return undefined;
  return schema.items ?? schema.derive({});
}

/** The properties with these names, in the order of the names. */
function byNames(properties: SchemaNodes, names: readonly string[]): [string, SchemaNode][] {
  const nameOf = indexNames(properties.keys());
  const found = new Set(names.map(nameOf));
  return [...found].flatMap((name) => {
    const member = name === undefined ? undefined : properties.get(name);
    return name === undefined || !member ? [] : [[name, member]];
  });
}

import type { Operation } from '../../model/operations/operations.ts';
import type { Resource } from '../../model/resources/resources.ts';
import {
  answerSchema,
  findListShape,
  findOpenListShape,
  isObjectSchema,
  isOpenAnswer,
  isOpenSchema,
  toListNames,
} from '../../model/resources/resources.ts';
import { answerTooLarge } from '../../schema/generate/generate.ts';
import type { SchemaNode } from '../../schema/schema.ts';
import { generateAround } from './around.ts';
import { buildListWrapper, type ListItems, type WrapList } from './envelope.ts';
import { isJsonObject, memberOf, withMember } from './json-object.ts';
import { buildListParameters, type ListParameters } from './list-parameters.ts';
import { buildReadListQuery, type ReadListQuery } from './list-query.ts';
import { buildPages, type ToPages } from './paging.ts';
import { buildLinkedView, type SpecParts } from './self-link.ts';
import { buildSortables } from './sorting.ts';
import { buildOpenView, type View } from './view.ts';

/** Everything about a list operation that does not depend on the request. */
export interface ListSpec {
  readonly parameters: ListParameters;
  readonly view: View;
  readonly wrap: WrapList;
  /** The most entities that one answer may have. */
  readonly most: number;
  readonly readQuery: ReadListQuery;
  readonly toPages: ToPages;
  /** Adds generated items to a list that is shorter than the document allows. */
  readonly pad: (items: ListItems) => ListItems;
}

/** Builds the spec of a list operation; `undefined` where its answer has no list of objects. */
export function buildListSpec(
  parts: SpecParts,
  operation: Operation,
  resource: Resource,
): ListSpec | undefined {
  const { generate } = parts;
  const parameters = buildListParameters(operation, resource);
  const schema = answerSchema(operation);
  if (isOpenAnswer(operation)) {
    const wrap: WrapList = schema?.types.includes('object') ? (items) => ({ data: items }) : (items) => items;
    return {
      ...toRequestFacts(resource, parameters, OPEN),
      pad: (items) => items,
      view: buildOpenView(resource),
      wrap,
    };
  }
  const names = toListNames(resource.singular);
  const list = findListShape(schema, names) ?? findOpenListShape(schema, names);
  if (!schema || !list) return undefined;
  const isOpen = isOpenSchema(list.schema);
  if (!isOpen && !isObjectSchema(list.schema)) return undefined;
  const around = list.path.length === 0 ? undefined : generateAround(parts, operation, schema, list.path);
  // An open object around the list gets no other members.
  const envelope = isOpen && list.path.length > 1 ? withMember(around, list.path.slice(0, -1), {}) : around;
  const bounds = boundsOf(schema.at(list.path));
  return {
    ...toRequestFacts(resource, parameters, bounds),
    pad: buildPad(schema, bounds.least, resource, (index) =>
      generate(list.schema, `${operation.label} filler ${index}`),
    ),
    view: isOpen ? buildOpenView(resource) : buildLinkedView(parts, resource, list.schema),
    wrap: buildListWrapper(schema, list.path, envelope),
  };
}

/** The numbers of entities that one answer may have. */
interface ListBounds {
  readonly most: number;
  readonly least: number;
}

/** The limits of a list that the document does not describe. */
const OPEN: ListBounds = { most: Number.POSITIVE_INFINITY, least: 0 };

/** Decides once how to read the requests of a list. */
function toRequestFacts(
  resource: Resource,
  parameters: ListParameters,
  { most, least }: ListBounds,
): Pick<ListSpec, 'parameters' | 'most' | 'readQuery' | 'toPages'> {
  const sortables = buildSortables(resource);
  const readQuery = buildReadListQuery(resource, { parameters, most, least, sortables });
  return { parameters, most, readQuery, toPages: buildPages(parameters) };
}

function boundsOf({ keywords: { maxItems, minItems } }: SchemaNode): ListBounds {
  return {
    most: typeof maxItems === 'number' ? maxItems : Number.POSITIVE_INFINITY,
    least: typeof minItems === 'number' ? minItems : 0,
  };
}

/** How many items are tried at most for each missing one, since some repeat the key of another item. */
const PAD_ATTEMPTS = 20;

/** The items that are generated. Further ones are these with other keys. */
const GENERATED = 100;

function buildPad(
  answer: SchemaNode,
  least: number,
  { key }: Resource,
  generateItem: (index: number) => unknown,
): ListSpec['pad'] {
  const made: unknown[] = [];
  const keyOf = (item: unknown) => String(memberOf(item, key?.property ?? ''));
  const make = (index: number) =>
    index < GENERATED ? generateItem(index) : withKey(made[index % GENERATED], key, index);
  return (items) => {
    if (items.length >= least) return items;
    if (answer.size.isTooLarge) throw answerTooLarge();
    const padded = [...items.values()];
    const keys = new Set(padded.map(keyOf));
    for (let index = 0; padded.length < least && index < PAD_ATTEMPTS * least; index++) {
      if (index === made.length) made.push(make(index));
      const item = made[index];
      if (item === undefined || (key && keys.has(keyOf(item)))) continue;
      keys.add(keyOf(item));
      padded.push(item);
    }
    return padded;
  };
}

/** An item with a key that no other one has. */
function withKey(item: unknown, key: Resource['key'], index: number): unknown {
  if (!key || !isJsonObject(item)) return item;
  const value = key.type === 'integer' ? FIRST_KEY + index : `${item[key.property]}-${index}`;
  return { ...item, [key.property]: value };
}

/** Larger than the keys of generated items. */
const FIRST_KEY = 10_000;

import type { DeclaredContent, Operation } from '../../model/operations/operations.ts';
import {
  type ActionName,
  isSameSchema,
  type Resource,
  type ResourceModel,
} from '../../model/resources/resources.ts';
import type { SchemaNode } from '../../schema/schema.ts';
import { findInexact, isJson, toActualType, toMediaType } from '../../wire/codecs/codecs.ts';
import { type Entity, isEntity } from '../store/store.ts';

/** The parts of a service that hold its examples. */
export interface ExampleParts {
  readonly operations: readonly Operation[];
  readonly model: ResourceModel;
}

/**
 * Finds the entities of a resource in the document's examples, valid or not: answers of lists and items first, then answers and
 * bodies of POST and PUT, then the examples of the schemas.
 */
export function findExampleEntities(parts: ExampleParts, resource: Resource): Entity[] {
  const { operations, model } = parts;
  const of = (names: readonly ActionName[]) =>
    operations.filter(({ id }) => {
      const action = model.actions.get(id);
      return action?.resource.name === resource.name && names.includes(action.name);
    });
  const reading = of(['list', 'read']).flatMap(answersOf);
  const writing = of(['create', 'replace']);
  const acting = of(['act']).flatMap(answersOf);
  const same = acting.filter(({ schema }) => schema && isSameSchema(schema, resource.schema));
  const answers = [...[...writing, ...of(['update'])].flatMap(answersOf), ...same];
  const bodies = writing.flatMap(({ body }) => jsonOf(body?.contents ?? []));
  const shown = [...reading, ...answers, ...bodies];
  return [
    ...shown.flatMap(({ examples }) => examples.map(({ value }) => value)),
    ...[...shown, resource].flatMap(({ schema }) => schemaExamplesOf(schema)),
  ]
    .flatMap((value) => entitiesIn(value, resource))
    .filter((entity) => findInexact(entity, '') === undefined);
}

function answersOf({ responses }: Operation): DeclaredContent[] {
  const successes = responses.filter(({ code }) => code.startsWith('2'));
  return jsonOf(successes.flatMap(({ contents }) => contents));
}

function jsonOf(contents: readonly DeclaredContent[]): DeclaredContent[] {
  return contents.filter(({ mediaType }) => isJson(toMediaType(toActualType(mediaType)) ?? ''));
}

function schemaExamplesOf(schema: SchemaNode | undefined): unknown[] {
  if (!schema) return [];
  const { examples } = schema.keywords;
  return [...(Array.isArray(examples) ? examples : []), ...schemaExamplesOf(schema.items)];
}

/** The objects of a list, of a list in an object, the object in another one, or the object itself. */
function entitiesIn(value: unknown, resource: Resource): Entity[] {
  const { key, properties } = resource;
  if (Array.isArray(value)) return value.filter(isEntity);
  if (!isEntity(value)) return [];
  if (key ? Object.hasOwn(value, key.property) : Object.keys(value).some((name) => properties.includes(name)))
    return [value];
  const others = Object.entries(value).flatMap(([name, member]) =>
    properties.includes(name) ? [] : [member],
  );
  const listed = others.flatMap((member) => (Array.isArray(member) ? member.filter(isEntity) : []));
  if (listed.length > 0) return listed;
  const held = others.filter(isEntity).flatMap((member) => entitiesIn(member, resource));
  return held.length > 0 ? held : [value];
}

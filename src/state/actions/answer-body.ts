import type { Operation } from '../../model/operations/operations.ts';
import type { Resource, ResourceAction } from '../../model/resources/resources.ts';
import {
  answerSchema,
  findEntityShape,
  isOpenAnswer,
  isOpenSchema,
} from '../../model/resources/resources.ts';
import type { SchemaNode, SchemaNodes } from '../../schema/schema.ts';
import type { Entity } from '../store/store.ts';
import { generateAround } from './around.ts';
import { withMember } from './json-object.ts';
import { buildLinkedView, type SpecParts } from './self-link.ts';
import { buildOpenView, type Locate, type View } from './view.ts';

/** Writes the body of an answer with an entity and a status; `undefined` where such an answer shows no entity. */
export type ToBody = (entity: Entity, status: number, locate: Locate) => unknown;

/** Builds the function that writes the answers of an action. An action that shows no entity answers without a body. */
export function buildToBody(
  parts: SpecParts,
  operation: Operation,
  { resource, name, effect }: ResourceAction,
): ToBody {
  if (effect?.isShown === false) return () => undefined;
  const isGone = operation.method === 'DELETE' && name !== 'act';
  const views = new Map<number, View>();
  return (entity, status, locate) => {
    const showsNothing = isGone && isOpenAnswer(operation, status);
    const view =
      views.get(status) ??
      (showsNothing ? SHOWS_NOTHING : buildAnswerView(parts, operation, resource, status));
    views.set(status, view);
    return view(entity, locate);
  };
}

function buildAnswerView(parts: SpecParts, operation: Operation, resource: Resource, status: number): View {
  if (isOpenAnswer(operation, status)) return buildOpenView(resource);
  const schema = answerSchema(operation, status);
  const shape = schema && findAnswerShape(schema, resource);
  if (!shape) return SHOWS_NOTHING;
  const view = isOpenSchema(shape.schema)
    ? buildOpenView(resource)
    : buildLinkedView(parts, resource, shape.schema);
  if (shape.path.length === 0) return view;
  const envelope = generateAround(parts, operation, schema, shape.path);
  return (entity, locate) => withMember(envelope, shape.path, view(entity, locate));
}

const SHOWS_NOTHING: View = () => undefined;

/** Finds the entity in an answer: by its key, else by any property. */
function findAnswerShape(schema: SchemaNode, { key, singular, properties }: Resource) {
  const hasKey = (members: SchemaNodes) => key !== undefined && members.has(key.property);
  const hasAny = (members: SchemaNodes) => properties.some((each) => members.has(each));
  return (
    findEntityShape(schema, key ? hasKey : hasAny, [singular]) ?? findEntityShape(schema, hasAny, [singular])
  );
}

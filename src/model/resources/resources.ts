export {
  findUserShape,
  isIdentity,
  isPassword,
  listMembers,
  type TokenKind,
  toTokenKind,
} from './account-names.ts';
export { findBodyEntity } from './actions.ts';
export { answerSchema, bodySchema, isOpenAnswer, isOpenBody } from './answers.ts';
export { findAttributes } from './attributes.ts';
export { type Embed, findEmbeds, pickShown } from './embeds.ts';
export { explainMoves, explainStatelessOperations } from './explain.ts';
export { createFilterFinder, type FilterTarget, toBareName } from './filters.ts';
export { inferIndexes } from './indexes.ts';
export { inferResources, STATELESS } from './infer-resources.ts';
export { type Key, keyBounds, keyOf, ONLY_KEY } from './keys.ts';
export { isPageName, LIST_ROLES, type ListRole } from './list-roles.ts';
export type {
  ActionName,
  Edit,
  Effect,
  FileAction,
  Parent,
  PartsEffect,
  Resource,
  ResourceAction,
  ResourceModel,
  ResourceOverride,
  ResourceOverrides,
  Within,
} from './model.ts';
export { isSameSchema } from './same-schema.ts';
export {
  findPlainSelfLink,
  findSelfLink,
  keyInSelfLink,
  type SelfLink,
} from './self-links.ts';
export { findEntityShape, findListShape, findOpenListShape, isObjectSchema, isOpenSchema } from './shapes.ts';
export { toSnake } from './snake-case.ts';
export { generateTextKey, toKeyCheck } from './text-keys.ts';
export { indexNames, toListNames, toSingular } from './words.ts';

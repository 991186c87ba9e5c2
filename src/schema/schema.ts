export { createSchemaChecker, type SchemaChecker } from './checker.ts';
export { isAddedBound } from './exact.ts';
export type { DirectionMark } from './marks.ts';
export {
  createSchemaReader,
  isNumeric,
  type Schema,
  type SchemaNode,
  type SchemaNodes,
  type SchemaReader,
  toSchemaText,
} from './reader.ts';
export { isObject, readPointer, resolveReference, toPointer, toTokens } from './reference.ts';
export { type Shape, toScalar, toShape } from './shape.ts';
export type { SchemaSize } from './smallest-size.ts';
export { findNearestMember, findUnknownMembers, type NearestMember } from './unknown-members.ts';

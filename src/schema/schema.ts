export { createSchemaChecker, type SchemaChecker } from './checker.ts';
export { isAddedBound } from './exact.ts';
export {
  isMarked,
  isNullable,
  isObject,
  readPointer,
  resolveReference,
  type Schema,
  schemaItems,
  schemaProperties,
  schemaRequired,
  schemaTypes,
  toSchemaText,
  toTokens,
} from './reader.ts';
export { type Shape, toScalar, toShape } from './shape.ts';

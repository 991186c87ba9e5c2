export type { Caller, ReadCaller } from './caller.ts';
export { createDeclaredHeaders, type DeclaredHeaders } from './declared-headers.ts';
export type { Input } from './input.ts';
export { toNormalPath } from './normal-path.ts';
export { notAcceptable } from './not-acceptable.ts';
export { findCode, findResponse, mediaTypesOf, type Operation } from './operation.ts';
export { type ParameterPlace, toCookiePairs } from './parameter-source.ts';
export type { ParameterReading } from './parameter-split.ts';
export type { Parameter } from './parameters.ts';
export type {
  DeclaredBody,
  DeclaredContent,
  DeclaredResponse,
  OutlineContent,
  OutlineParameter,
} from './responses.ts';
export { templateNames } from './router.ts';
export { createPathSuggester } from './suggest.ts';
export { buildOperationTable, type Match, type OperationTable } from './table.ts';

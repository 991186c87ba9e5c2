export { createDeclaredHeaders, type DeclaredHeaders } from './declared-headers.ts';
export { examplesOf } from './examples.ts';
export { findCode, findResponse, mediaTypesOf, type Operation } from './operation.ts';
export { toCookiePairs } from './parameter-source.ts';
export type { Reading } from './parameter-styles.ts';
export type { Parameter, ParameterPlace } from './parameters.ts';
export { headerNamesOf } from './responses.ts';
export { templateNames } from './router.ts';
export { buildOperationTable, type Match, type OperationTable } from './table.ts';

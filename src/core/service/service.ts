export type { SunsetMode } from '../../answer/lifecycle/lifecycle.ts';
export { buildService, type Service } from './build.ts';
export {
  deleteStateEntity,
  mergeStateEntity,
  mergeStateList,
  putStateEntity,
  readStateEntity,
  readStateList,
  replaceStateList,
} from './change-list.ts';
export { type GivenState, readStateOver, replaceState, seedState } from './change-state.ts';
export { diffState, type StateDiff } from './changes.ts';
export type { KeyedRequest } from './idempotency-keys.ts';
export { type InferenceInfo, type MovedInfo, type StatelessInfo, toInferenceInfo } from './inference.ts';
export {
  type Diagnostic,
  type DiagnosticCode,
  type DocumentInfo,
  type EffectInfo,
  type OperationInfo,
  type ResourceInfo,
  toDocumentInfo,
  toOperationInfos,
  toResourceInfos,
} from './info.ts';
export { toOperationId } from './operation-id.ts';
export type { Option } from './option.ts';
export { findConflict, toConflict } from './option-conflict.ts';
export { COMMAND_OPTIONS, CONFIG_OPTION } from './option-lists.ts';
export { toPlainState } from './plain-state.ts';
export { readOptions } from './read-options.ts';
export type { MockNotice, MockOptions, ServiceOptions } from './service-options.ts';
export { type CachedAnswer, resetSession, type SavedSnapshot, type Session } from './session.ts';
export { type ClockChange, type ClockState, changeClock, readClock } from './session-clock.ts';
export type { Eviction } from './session-pool.ts';
export { createSessions, DEFAULT_SESSION, type Sessions } from './sessions.ts';
export { LOG_LEVELS, type LogFormat, type LogLevel, type Settings } from './settings.ts';
export {
  deleteSnapshot,
  exportSnapshot,
  findSnapshot,
  importSnapshot,
  restoreSnapshot,
  saveSnapshot,
} from './snapshots.ts';
export {
  collectionIn,
  type MockState,
  readLongState,
  readState,
  toStateLists,
} from './state.ts';
export { toSentence, toUnknownOptions, type UnknownOption } from './unknown-options.ts';

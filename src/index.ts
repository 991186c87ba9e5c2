export type {
  CheckedOperation,
  CheckedResource,
  CheckOptions,
  CheckReport,
  CheckViolation,
} from './check/check.ts';
export type { Delay, DelayOption, FaultRule } from './faults/faults.ts';
export type { JournalEntry } from './journal.ts';
export type { LifecycleFacts } from './lifecycle/lifecycle.ts';
export { createMock, type ListenOptions, type Mock } from './mock.ts';
export type { MockSession } from './mock-session.ts';
export { SetupError } from './problem.ts';
export type { Listening } from './server/server.ts';
export type {
  Diagnostic,
  DocumentInfo,
  EffectInfo,
  InferenceInfo,
  MockNotice,
  MockOptions,
  MovedInfo,
  OperationInfo,
  ResourceInfo,
  ServiceOptions,
  StateDiff,
  StatelessInfo,
} from './service/service.ts';

export type {
  CheckCode,
  CheckedOperation,
  CheckedResource,
  CheckFinding,
  CheckOptions,
  CheckReport,
  CheckViolation,
  ProviderOptions,
} from './check/check.ts';
export type {
  ContractViolation,
  CoverageReport,
  LifecycleUse,
  OperationCoverage,
  PointKind,
  Points,
  Share,
  UnknownUse,
} from './coverage/coverage.ts';
export type { Delay, DelayOption, FaultEffect, FaultRule, RuleInfo, SequenceItem } from './faults/faults.ts';
export type { FindingCode } from './finding-code.ts';
export type { Breach, JournalEntry, JournalFault, JournalProblem } from './journal.ts';
export type { LifecycleFacts, SunsetMode } from './lifecycle/lifecycle.ts';
export { createMock, type ListenOptions, type Mock } from './mock.ts';
export type { MockClock } from './mock-clock.ts';
export type { MockFaults } from './mock-faults.ts';
export type { MockSession } from './mock-session.ts';
export { SetupError, type Violation } from './problem.ts';
export type { Listening } from './server/server.ts';
export type {
  Diagnostic,
  DiagnosticCode,
  DocumentInfo,
  EffectInfo,
  InferenceInfo,
  MockNotice,
  MockOptions,
  MockState,
  MovedInfo,
  OperationInfo,
  ResourceInfo,
  ServiceOptions,
  StateDiff,
  StatelessInfo,
} from './service/service.ts';
export type { SetupCode } from './setup-code.ts';
export type { StateFileInfo } from './state-file/state-file.ts';
export {
  type Difference,
  type Expectation,
  type NearMiss,
  type RequestPattern,
  type Times,
  type Verification,
  VerifyError,
  type WaitOptions,
} from './verify/verify.ts';

export type {
  Delay,
  DelayOption,
  FaultEffect,
  FaultRule,
  RuleInfo,
  SequenceItem,
} from './answer/faults/faults.ts';
export type { LifecycleFacts, SunsetMode } from './answer/lifecycle/lifecycle.ts';
export type { FindingCode } from './base/finding-code.ts';
export { SetupError, type Violation } from './base/problem.ts';
export type { SetupCode } from './base/setup-code.ts';
export type { Breach, JournalEntry, JournalFault, JournalProblem } from './core/journal/journal.ts';
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
} from './core/service/service.ts';
export type {
  CheckCode,
  CheckedOperation,
  CheckedResource,
  CheckFinding,
  CheckOptions,
  CheckReport,
  CheckViolation,
  ProviderOptions,
} from './mock/check/check.ts';
export type {
  ContractViolation,
  CoverageReport,
  LifecycleUse,
  OperationCoverage,
  PointKind,
  Points,
  Share,
  UnknownUse,
} from './mock/coverage/coverage.ts';
export { createMock, type ListenOptions, type Mock } from './mock/mock.ts';
export type { MockClock } from './mock/mock-clock.ts';
export type { MockFaults } from './mock/mock-faults.ts';
export type { MockSession } from './mock/mock-session.ts';
export type { StateFileInfo } from './mock/state-file/state-file.ts';
export {
  type Difference,
  type Expectation,
  type NearMiss,
  type RequestPattern,
  type Times,
  type Verification,
  VerifyError,
  type WaitOptions,
} from './mock/verify/verify.ts';
export type { Listening } from './wire/server/server.ts';

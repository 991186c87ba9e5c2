export type {
  CheckedOperation,
  CheckedResource,
  CheckOptions,
  CheckReport,
  CheckViolation,
} from './check.ts';
export type { Exchange, JournalEntry } from './exchange.ts';
export type { FaultRule } from './faults.ts';
export type { Listening } from './http.ts';
export type { DocumentInfo, Note, OperationInfo, ResourceInfo } from './info.ts';
export type { LifecycleFacts } from './lifecycle/facts.ts';
export { createMock, type ListenOptions, type Mock } from './mock.ts';
export { SetupError } from './problem.ts';
export type { MockOptions, ServiceOptions } from './service/service-options.ts';

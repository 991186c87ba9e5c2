export type { FaultRule } from './faults.ts';
export type { Listening } from './http.ts';
export type { OperationInfo, ResourceInfo } from './info.ts';
export type { LifecycleFacts } from './lifecycle.ts';
export {
  createMock,
  type Exchange,
  type ListenOptions,
  type Mock,
  type MockOptions,
} from './mock.ts';
export { SetupError } from './problem.ts';
export type { WorldOptions } from './world.ts';

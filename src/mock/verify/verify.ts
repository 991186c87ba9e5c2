export type { Difference } from './compare.ts';
export type { Expectation, RequestPattern, Times, Verification } from './request-pattern.ts';
export { type NearMiss, type Verdict, VerifyError } from './verdict.ts';
export { verifySession } from './verify-session.ts';
export { type WaitOptions, waitForRequest } from './wait-for.ts';

import type { MockRequest } from '../message/message.ts';

/** Whether a request says that it breaks the contract on purpose: its header X-Mock-Expect lists the status, as `422` or `4xx`. */
export function isExpected({ headers }: MockRequest, status: number): boolean {
  const expected = headers['x-mock-expect'];
  if (expected === undefined) return false;
  return expected
    .slice(0, 100)
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .some((each) => each === String(status) || each === `${Math.floor(status / 100)}xx`);
}

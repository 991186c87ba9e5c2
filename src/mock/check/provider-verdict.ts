import { findResponse, type Operation } from '../../model/operations/operations.ts';
import type { MockResponse } from '../../wire/message/message.ts';
import { headerOf } from './answer.ts';
import { type CheckFinding, toFinding } from './check-finding.ts';

/** The statuses of which any is allowed, as far as the document declares it. */
export const ANY_STATUS: readonly number[] = Array.from({ length: 500 }, (_, index) => 100 + index);

/** Finds errors that the document does not declare. Those that only ask for credentials or patience are none. */
export function findUndeclaredError(operation: Operation, { status }: MockResponse): CheckFinding[] {
  if (status < 400 || findResponse(operation, status) || isExempt(operation, status)) return [];
  const codes = operation.responses.map(({ code }) => code).join(', ') || 'none';
  const message = `It answered ${status}, which the document does not declare for ${operation.id}. It has: ${codes}.`;
  return [toFinding('status-undeclared', message)];
}

function isExempt({ source }: Operation, status: number): boolean {
  const { security } = source as { readonly security?: unknown };
  const isSecured = Array.isArray(security) && security.length > 0;
  return status === 429 || (isSecured && (status === 401 || status === 403));
}

/** Says why an answer proves nothing about the success of its operation; `undefined` if it does. */
export function toUnproved({ label }: Operation, response: MockResponse): string | undefined {
  const { status } = response;
  if (status < 300) return undefined;
  if (status < 400) {
    const target = toPlace(headerOf(response, 'Location'));
    return `${label} redirects${target === undefined ? '' : ` to ${target}`}, which was not followed. If the server has moved, name its new URL.`;
  }
  if (status === 401 || status === 403)
    return `${label} answered ${status}, so its success was not checked. Send credentials with --header.`;
  if (status === 429)
    return `${label} answered 429, so its success was not checked. The server limits requests.`;
  return `${label} answered ${status} to a request that the document allows, so its success was not checked.`;
}

/** A URL without what may be secret in it. */
function toPlace(location: string | undefined): string | undefined {
  return location
    ?.replace(/[?#].*$/s, '')
    .replace(/\/\/[^/@]*@/, '//')
    .slice(0, 200);
}

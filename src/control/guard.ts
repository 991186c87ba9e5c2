import { isLoopback, type MockRequest } from '../message/message.ts';
import { Problem } from '../problem.ts';

/** The clients that may use the control API. */
export interface GuardOptions {
  /** The names by which clients may reach it, beside IP addresses and localhost. */
  readonly allowedHosts: readonly string[];
  /** A Bearer token that opens it to every client that sends it. */
  readonly token: string | undefined;
}

/** Returns a 403 Problem for a request that a foreign web page may have caused. */
export type Guard = (request: MockRequest) => Problem | undefined;

/**
 * Builds the check of control requests. A page of another site must neither reset a mock nor read its journal: not by a request of its
 * own, which has its Origin, nor by a name of its own that leads to this machine (DNS rebinding), which is then the Host.
 */
export function buildGuard({ allowedHosts, token }: GuardOptions): Guard {
  const names = new Set(allowedHosts.map((name) => name.toLowerCase()));
  return ({ headers }) => {
    const { host, origin, authorization } = headers;
    const isTrusted = token !== undefined && readBearer(authorization) === token;
    if (isTrusted) return undefined;
    if (host !== undefined && !isSafeHost(host, names)) {
      return forbidden(
        `The control API does not answer to the host ${host}. Allow it with --allowed-hosts, or use 127.0.0.1.`,
      );
    }
    if (origin !== undefined && !isLoopback(origin)) {
      return forbidden(
        `The control API does not answer pages of ${origin}. Start the mock with --control-token, and send the token as "Authorization: Bearer <token>".`,
      );
    }
    return undefined;
  };
}

/** Whether a Host header cannot be that of a foreign page: an IP address has no DNS record that could change. */
function isSafeHost(host: string, names: ReadonlySet<string>): boolean {
  const name = host.replace(/:\d*$/, '').toLowerCase();
  return IP_ADDRESS.test(name) || LOCALHOST.test(name) || names.has(name);
}

const IP_ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/;
const LOCALHOST = /^(?:[\w-]+\.)*localhost$/;

function forbidden(message: string): Problem {
  return new Problem(403, 'control_forbidden', message);
}

/** The token of an Authorization header. The name of its scheme may be in any case (RFC 9110 section 11.1). */
function readBearer(authorization = ''): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization)?.[1];
}

import { Problem } from '../../base/problem.ts';
import { isLoopback, type MockRequest } from '../../wire/message/message.ts';
import type { IsCaller } from './caller-check.ts';
import { readForwardedFor } from './forwarded-for.ts';

/** The clients that may use the control API. */
export interface GuardOptions {
  /** The names by which clients may reach it, beside IP addresses and localhost. */
  readonly allowedHosts: readonly string[];
  /** The networks whose machines may use it, beside this machine. */
  readonly networks: readonly string[];
  /** A Bearer token that opens it to every client that sends it. */
  readonly token: string | undefined;
}

/** Returns a 403 Problem for a request of another machine, and for one that a foreign web page may have caused. */
export type Guard = (request: MockRequest) => Problem | undefined;

/**
 * Builds the check of control requests. Other machines stay out by the address of their connection, whatever Host they name. A page of
 * another site must neither reset a mock nor read its journal: not by a request of its own, which has its Origin, nor by a name of its
 * own that leads to this machine (DNS rebinding), which is then the Host.
 */
export async function loadGuard({ allowedHosts, networks, token }: GuardOptions): Promise<Guard> {
  const { buildIsCaller } = await import('./caller-check.ts');
  const isCaller = buildIsCaller(networks);
  const names = new Set(allowedHosts.map((name) => name.toLowerCase()));
  return (request) => {
    const { host, origin, authorization } = request.headers;
    const isTrusted = token !== undefined && readBearer(authorization) === token;
    if (isTrusted) return undefined;
    const stranger = findStranger(request, isCaller);
    if (stranger !== undefined) return forbidden(toStrangerMessage(stranger, networks));
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

/** Finds the first machine on the way of a request that may not use the control API. A request in process has no peer. */
function findStranger({ peer, headers }: MockRequest, isCaller: IsCaller): string | undefined {
  const machines = [...(peer === undefined ? [] : [peer]), ...readForwardedFor(headers)];
  return machines.find((machine) => !isCaller(machine));
}

function toStrangerMessage(stranger: string, networks: readonly string[]): string {
  const answered = networks.length === 0 ? 'this machine' : 'this machine and those of --allow-control-from';
  const address = ADDRESS.exec(stranger)?.[1];
  const remedy =
    address === undefined
      ? 'Start the mock with --control-token,'
      : `Let it in with "--allow-control-from ${address}", or start the mock with --control-token,`;
  return `The control API answers only ${answered}, and the request came from ${address ?? 'an unknown address'}. ${remedy} and send the token as "Authorization: Bearer <token>".`;
}

/** Writes an address as `--allow-control-from` takes it: IPv4 without its IPv6 form, and no zone. */
const ADDRESS = /^(?:::ffff:(?=[\d.]+$))?((?:\d{1,3}\.){3}\d{1,3}|[\da-f]*:[\da-f:.]+)(?:%.*)?$/i;

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

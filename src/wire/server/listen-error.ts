import { SetupError } from '../../base/problem.ts';
import type { SetupCode } from '../../base/setup-code.ts';

/** Explains why a server cannot listen: a SetupError for the usual reasons, else the cause itself. */
export function toListenError(cause: unknown, host: string, port: number): unknown {
  const messages: Record<string, readonly [SetupCode, string]> = {
    EADDRINUSE: [
      'port-taken',
      `Port ${port} is taken. Choose another one with --port, or --port 0 for any free one. "lsof -i :${port}" names the program that has it (on Windows "netstat -ano").`,
    ],
    EACCES: [
      'port-denied',
      `You are not allowed to listen on port ${port}. Choose one above 1023 with --port.`,
    ],
    EADDRNOTAVAIL: [
      'host-unknown',
      `This machine has no address ${host}. Choose 127.0.0.1 or 0.0.0.0 with --host.`,
    ],
    ERR_SOCKET_BAD_PORT: ['port-invalid', `Invalid port ${port}. Choose one from 0 to 65535 with --port.`],
    ENOTFOUND: ['host-unknown', `Unknown host ${host}. Choose 127.0.0.1 or 0.0.0.0 with --host.`],
  };
  const known = messages[(cause as NodeJS.ErrnoException).code ?? ''];
  return known === undefined ? cause : new SetupError(...known, { cause });
}

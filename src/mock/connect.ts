import { MEBIBYTE } from '../base/limits.ts';
import { createHandler, type OnRecorded } from '../core/handle/handle.ts';
import { toJournalEntry } from '../core/journal/journal.ts';
import { buildService, createSessions, type MockOptions, type Sessions } from '../core/service/service.ts';
import { petstoreRules } from '../petstore/petstore.ts';
import { createBoundary } from '../wire/server/server.ts';
import { createControl } from './control/control.ts';
import { createCoverage } from './coverage/coverage.ts';
import { toEvictionNotice, toNotify } from './mock-session.ts';

/** A mock below its public surface. */
export interface Connected {
  readonly sessions: Sessions;
  readonly boundary: ReturnType<typeof createBoundary>;
  readonly coverage: ReturnType<typeof createCoverage>;
}

/** Builds the service of a mock, its sessions, and the boundary through which every request goes. */
export async function connect(options: MockOptions, watch?: OnRecorded): Promise<Connected> {
  const sessions = createSessions(await buildService(options, petstoreRules), {
    ...(options.maxSessions !== undefined && { most: options.maxSessions }),
    ...(options.memory !== undefined && { memory: options.memory * MEBIBYTE }),
    ...(options.journal !== undefined && { journal: options.journal }),
    onEvict: (eviction) => toNotify(options, boundary.report)(toEvictionNotice(eviction)),
  });
  const onRecorded: OnRecorded = (exchange, id) => {
    watch?.(exchange, id);
    // Its type is void, but it may still be an async function.
    const returned: unknown = options.onExchange?.(toJournalEntry(exchange, id));
    if (typeof returned === 'object') Promise.resolve(returned).catch(boundary.report);
  };
  const {
    control: enabled = true,
    allowedHosts = [],
    allowControlFrom: networks = [],
    controlToken: token,
  } = options;
  const coverage = createCoverage();
  const handler = createHandler({
    sessions,
    observe: coverage.observe,
    control: createControl({ sessions, coverage }, { enabled, allowedHosts, networks, token }),
    onRecorded,
  });
  const boundary = createBoundary({ ...handler, onError: options.onError });
  return { sessions, boundary, coverage };
}

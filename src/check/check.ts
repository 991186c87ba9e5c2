import type { Handler } from '../handle/handle.ts';
import type { Sessions } from '../service/service.ts';
import type { Ask } from './answer.ts';
import { createJudge } from './judge.ts';
import { createKeys, type KeySources } from './keys.ts';
import { checkLifeCycle } from './life-cycle.ts';
import { type CheckContext, checkOperation } from './operation.ts';
import { type CheckCase, createProbe, type Probe } from './probe.ts';
import { createRequests } from './requests.ts';
import { createSamples } from './samples.ts';
import { askOverSocket } from './socket.ts';

/** What `check` found. */
export interface CheckReport {
  /** Title and location of the document. */
  readonly document: { readonly title: string; readonly location: string };
  /** How many answers were judged. */
  readonly checks: number;
  /** Everything in which they broke the document, HTTP or what a client may expect of state; empty if all is well. */
  readonly violations: readonly CheckViolation[];
  /** A sentence for each thing that could not be asked. */
  readonly skipped: readonly string[];
  readonly operations: readonly CheckedOperation[];
  readonly resources: readonly CheckedResource[];
  readonly milliseconds: number;
}

export interface CheckViolation {
  /** The operationId, or `GET /pets`. */
  readonly operation: string;
  /** What was asked for, in a clause. */
  readonly name: string;
  /** A sentence. */
  readonly message: string;
  /** The request as a line for the shell. */
  readonly curl: string;
}

/** An operation, and every answer that it was asked for. */
export interface CheckedOperation {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly cases: readonly CheckCase[];
}

/** A resource, and the steps of the life that one of its entities was led through. */
export interface CheckedResource {
  readonly resource: string;
  readonly adapter: Adapter;
  readonly cases: readonly CheckCase[];
}

/** A way to reach the mock. */
export type Adapter = 'in process' | 'over a socket';

export interface CheckOptions {
  /** Called with the number of operations and resources that are done, and of those that there are. */
  readonly onProgress?: (done: number, all: number) => void;
}

/** What is checked. */
export interface CheckSubject {
  readonly sessions: Sessions;
  readonly handler: Handler;
}

/**
 * Proves that a mock holds to its document: asks every operation for every declared answer, and leads an entity of every
 * resource through its life, in process and over a socket. The sessions must be its own: it changes and resets them.
 */
export async function checkService(
  { sessions, handler }: CheckSubject,
  { onProgress }: CheckOptions = {},
): Promise<CheckReport> {
  const started = performance.now();
  const { document, table, model, initial } = sessions.service;
  const judge = await createJudge(document.root);
  await initial.ready();
  const inProcess: Ask = async (request) => handler.answer(request);
  const resources = [...model.resources.values()];
  const progress = countProgress(table.operations.length + resources.length, onProgress);
  const context = createContext(sessions, inProcess);

  const operations: CheckedOperation[] = [];
  const probes: Probe[] = [];
  for (const operation of table.operations) {
    const probe = createProbe(judge, inProcess);
    await checkOperation(context, operation, probe);
    const { id, method, path } = operation;
    operations.push({ operation: id, method, path, cases: probe.cases });
    probes.push(probe);
    progress();
  }
  const lives: CheckedResource[] = [];
  const socket = resources.length === 0 ? undefined : await askOverSocket(handler);
  try {
    for (const resource of resources) {
      for (const [adapter, ask] of [
        ['in process', inProcess],
        ['over a socket', socket?.ask],
      ] as const) {
        if (!ask) continue;
        const probe = createProbe(judge, ask);
        await checkLifeCycle(context, resource, probe, ask);
        lives.push({ resource: resource.name, adapter, cases: probe.cases });
        probes.push(probe);
      }
      progress();
    }
  } finally {
    await socket?.close();
  }
  const cases = [...operations, ...lives].flatMap((each) => each.cases);
  return {
    document: { title: document.title, location: document.location },
    checks: cases.length,
    violations: cases.flatMap(toViolations),
    skipped: [...new Set(probes.flatMap(({ skipped }) => skipped))],
    operations,
    resources: lives,
    milliseconds: Math.round(performance.now() - started),
  };
}

function createContext(sessions: Sessions, ask: Ask): CheckContext {
  const { service } = sessions;
  const sources: KeySources = {
    service,
    requests: createRequests(service.document.root, createSamples(service.document.root, 1)),
    firstEntity: ({ name }) => sessions.use().store.collection(name).values().next().value,
  };
  return { ...sources, keys: createKeys(sources, ask), restore: sessions.reset };
}

/** Calls back with the number of things that are done, each time that another one is. */
function countProgress(all: number, onProgress: CheckOptions['onProgress']): () => void {
  let done = 0;
  return () => {
    done += 1;
    onProgress?.(done, all);
  };
}

function toViolations({ operation, name, violations, curl = '' }: CheckCase): CheckViolation[] {
  return violations.map((message) => ({ operation, name, message, curl }));
}

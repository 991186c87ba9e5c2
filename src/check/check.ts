import type { World } from '../service/service.ts';
import type { Ask } from './answer.ts';
import { createJudge } from './judge.ts';
import { createKeys } from './keys.ts';
import { checkLifeCycle } from './life-cycle.ts';
import { checkOperation, type Lab } from './operation.ts';
import { type CheckCase, createProbe, type Probe } from './probe.ts';
import { createRequests } from './requests.ts';
import { createSamples } from './samples.ts';
import { askOverSocket } from './socket.ts';

export { examplesOf } from './prism-operation.ts';

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

/**
 * Proves that a mock holds to its document: asks every operation for every declared answer, and leads an entity of every
 * resource through its life, in process and over a socket. The state is the same afterwards.
 */
export async function checkWorld(world: World, { onProgress }: CheckOptions = {}): Promise<CheckReport> {
  const started = performance.now();
  const { document, table, model, session, initial } = world;
  const judge = await createJudge(document.root);
  // Neither error rules nor delays: what they do is asked for by whoever sets them.
  const inProcess: Ask = async (request) => (await world.handler.answer(request)).response;
  const requests = createRequests(document.root, createSamples(document.root, 1));
  await initial.ready();
  const before = session.snapshot();
  const restore = () => session.restore(before);
  const lab: Lab = { world, requests, keys: createKeys(world, requests, inProcess), restore };
  const resources = [...model.resources.values()];
  const all = table.operations.length + resources.length;
  let done = 0;
  const probes: Probe[] = [];
  const probe = (ask: Ask) => {
    const made = createProbe(judge, ask);
    probes.push(made);
    return made;
  };
  const operations: CheckedOperation[] = [];
  for (const operation of table.operations) {
    const { id, method, path } = operation;
    const own = probe(inProcess);
    await checkOperation(lab, operation, own);
    operations.push({ operation: id, method, path, cases: own.cases });
    done += 1;
    onProgress?.(done, all);
  }
  const lives: CheckedResource[] = [];
  const socket = resources.length === 0 ? undefined : await askOverSocket(world);
  try {
    for (const resource of resources) {
      const adapters = [
        ['in process', inProcess] as const,
        ...(socket ? [['over a socket', socket.ask] as const] : []),
      ];
      for (const [adapter, ask] of adapters) {
        const own = probe(ask);
        await checkLifeCycle(lab, resource, own, ask);
        lives.push({ resource: resource.name, adapter, cases: own.cases });
      }
      done += 1;
      onProgress?.(done, all);
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

function toViolations({ operation, name, violations, curl = '' }: CheckCase): CheckViolation[] {
  return violations.map((message) => ({ operation, name, message, curl }));
}

import type { Handler } from '../../core/handle/handle.ts';
import { resetSession, type Service, type Sessions } from '../../core/service/service.ts';
import type { Ask } from './answer.ts';
import type { CheckFinding } from './check-finding.ts';
import { createJudge } from './judge.ts';
import { createKeys, type KeySources } from './keys.ts';
import { checkLifeCycle } from './life-cycle.ts';
import { type CheckContext, checkOperation } from './operation.ts';
import { type CheckCase, createProbe, type Probe } from './probe.ts';
import { checkProvider } from './provider.ts';
import { type ProviderOptions, readProvider } from './provider-options.ts';
import { isSafe } from './provider-questions.ts';
import { createRequests } from './requests.ts';
import { createSamples } from './samples.ts';
import { askOverSocket } from './socket.ts';

export type { CheckCode, CheckFinding } from './check-finding.ts';
export type { ProviderOptions } from './provider-options.ts';

/** The result of `check`. */
export interface CheckReport {
  /** Title and location of the document. */
  readonly document: { readonly title: string; readonly location: string };
  /** The URL of the provider's server that was asked in place of the mock. */
  readonly against?: string;
  /** The number of answers that were judged. */
  readonly checks: number;
  /** Every violation of the document, of HTTP or of the behaviour that a client may expect of state. */
  readonly violations: readonly CheckViolation[];
  /** A sentence for each check that was impossible. */
  readonly skipped: readonly string[];
  readonly operations: readonly CheckedOperation[];
  readonly resources: readonly CheckedResource[];
  readonly milliseconds: number;
}

/** A finding, with the request that shows it. */
export interface CheckViolation extends CheckFinding {
  /** The operationId, or `GET /pets`. */
  readonly operation: string;
  /** The requested answer, as a clause. */
  readonly name: string;
  /** The request as a line for the shell. */
  readonly curl: string;
}

/** An operation, with a case for each answer that was requested. */
export interface CheckedOperation {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly cases: readonly CheckCase[];
}

/** A resource, with the steps in the life cycle of one of its entities. */
export interface CheckedResource {
  readonly resource: string;
  readonly adapter: Adapter;
  readonly cases: readonly CheckCase[];
}

/** A way to reach the mock. */
export type Adapter = 'in process' | 'over a socket';

export interface CheckOptions {
  /** Called with the number of operations and resources that are done, and of all of them. */
  readonly onProgress?: (done: number, all: number) => void;
  /** Asks a provider's server instead of the mock. Only GET, HEAD and OPTIONS, unless it is `unsafe`. */
  readonly against?: ProviderOptions;
}

/** Asks a provider's server instead of the mock, and reports in the same form. */
export async function checkAgainst(
  service: Service,
  against: ProviderOptions,
  { onProgress }: CheckOptions = {},
): Promise<CheckReport> {
  const started = performance.now();
  const provider = readProvider(against);
  const { document, table } = service;
  const asked = provider.unsafe ? table.operations : table.operations.filter(isSafe);
  const { operations, skipped } = await checkProvider(
    service,
    provider,
    countProgress(asked.length, onProgress),
  );
  const cases = operations.flatMap((each) => each.cases);
  return {
    document: { title: document.title, location: document.location },
    against: provider.base,
    checks: cases.length,
    violations: cases.flatMap(toViolations),
    skipped: [...new Set(skipped)],
    operations: operations.map(({ operation: { id, method, path }, cases: own }) => ({
      ...{ operation: id, method, path, cases: own },
    })),
    resources: [],
    milliseconds: Math.round(performance.now() - started),
  };
}

interface CheckSubject {
  readonly sessions: Sessions;
  readonly handler: Handler;
}

/**
 * Proves that a mock conforms to its document: requests every declared answer of every operation, and leads an entity of every
 * resource through its life cycle, in process and over a socket. Changes and resets the sessions.
 */
export async function checkService(
  { sessions, handler }: CheckSubject,
  { onProgress }: CheckOptions = {},
): Promise<CheckReport> {
  const started = performance.now();
  const { document, table, model, initial } = sessions.service;
  const judge = await createJudge(document);
  await initial.ready();
  const inProcess: Ask = async (request) => handler.answer(request);
  const probes: Probe[] = [];
  const run: CheckRun = {
    context: createCheckContext(sessions, inProcess),
    inProcess,
    openProbe(ask) {
      const probe = createProbe(judge, ask);
      probes.push(probe);
      return probe;
    },
    progress: countProgress(table.operations.length + model.resources.size, onProgress),
  };
  const operations = await checkOperations(run);
  const resources = await checkResources(run, handler);
  const cases = [...operations, ...resources].flatMap((each) => each.cases);
  return {
    document: { title: document.title, location: document.location },
    checks: cases.length,
    violations: cases.flatMap(toViolations),
    skipped: [...new Set(probes.flatMap(({ skipped }) => skipped))],
    operations,
    resources,
    milliseconds: Math.round(performance.now() - started),
  };
}

/** One run of all checks. */
interface CheckRun {
  readonly context: CheckContext;
  readonly inProcess: Ask;
  readonly openProbe: (ask: Ask) => Probe;
  /** Counts one operation or resource as done. */
  readonly progress: () => void;
}

async function checkOperations({ context, inProcess, openProbe, progress }: CheckRun) {
  const checked: CheckedOperation[] = [];
  for (const operation of context.service.table.operations) {
    const probe = openProbe(inProcess);
    await checkOperation(context, operation, probe);
    const { id, method, path } = operation;
    checked.push({ operation: id, method, path, cases: probe.cases });
    progress();
  }
  return checked;
}

async function checkResources({ context, inProcess, openProbe, progress }: CheckRun, handler: Handler) {
  const checked: CheckedResource[] = [];
  const { resources } = context.service.model;
  if (resources.size === 0) return checked;
  const socket = await askOverSocket(handler);
  const asks: readonly (readonly [Adapter, Ask])[] = [
    ['in process', inProcess],
    ['over a socket', socket.ask],
  ];
  try {
    for (const resource of resources.values()) {
      for (const [adapter, ask] of asks) {
        const probe = openProbe(ask);
        await checkLifeCycle(context, resource, probe, ask);
        checked.push({ resource: resource.name, adapter, cases: probe.cases });
      }
      progress();
    }
  } finally {
    await socket.close();
  }
  return checked;
}

function createCheckContext(sessions: Sessions, ask: Ask): CheckContext {
  const { service } = sessions;
  const { document } = service;
  const sources: KeySources = {
    service,
    requests: createRequests(document.reader, createSamples(document, 1)),
    findEntity: ({ name }, key) => sessions.use().store.collection(name).get(key),
    firstEntity: ({ name }) => sessions.use().store.collection(name).values().next().value,
  };
  return { ...sources, keys: createKeys(sources, ask), restore: () => resetSession(sessions.use()) };
}

/** Returns a function that counts and reports one more thing as done. */
function countProgress(all: number, onProgress: CheckOptions['onProgress']): () => void {
  let done = 0;
  return () => {
    done += 1;
    onProgress?.(done, all);
  };
}

function toViolations({ operation, name, violations, curl = '' }: CheckCase): CheckViolation[] {
  return violations.map(({ code, message }) => ({ operation, name, code, message, curl }));
}

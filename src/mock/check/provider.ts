import { buildHideValues, HIDDEN } from '../../base/redact/redact.ts';
import type { Service } from '../../core/service/service.ts';
import type { Operation } from '../../model/operations/operations.ts';
import type { Ask } from './answer.ts';
import { toFinding } from './check-finding.ts';
import { toCurl } from './curl.ts';
import { createJudge, type Judge } from './judge.ts';
import { createKeys, type Keys } from './keys.ts';
import { type CheckCase, createProbe, type Probe } from './probe.ts';
import { isSendable } from './provider-ask.ts';
import { type Created, rememberCreated } from './provider-created.ts';
import { ProviderFailure } from './provider-failure.ts';
import { type ProviderLine, watchLine } from './provider-line.ts';
import type { Provider } from './provider-options.ts';
import { isSafe, type ProviderQuestion, toProviderQuestions } from './provider-questions.ts';
import { ANY_STATUS, findUndeclaredError, toUnproved } from './provider-verdict.ts';
import { createRequests, type Requests } from './requests.ts';
import { createSamples } from './samples.ts';

/** An operation of the provider, with a case for each question. */
interface AskedOperation {
  readonly operation: Operation;
  readonly cases: readonly CheckCase[];
}

/** The answers of a provider. */
interface ProviderResult {
  readonly operations: readonly AskedOperation[];
  /** A sentence for each check that was impossible. */
  readonly skipped: readonly string[];
}

/**
 * Asks a provider's server the questions of `check`, one after the other. Rejects with a SetupError if it cannot be reached. Nothing of
 * the values of its headers is in the result.
 */
export async function checkProvider(
  service: Service,
  provider: Provider,
  progress: () => void,
): Promise<ProviderResult> {
  const { document, table } = service;
  const hide = buildHideValues(provider.headers);
  const requests = createRequests(document.reader, createSamples(document, 1), { isForProvider: true });
  const line = watchLine(provider, hide);
  const askQuietly: Ask = (request) =>
    line.ask(request).catch((error: unknown) => {
      if (error instanceof ProviderFailure) return { status: 0, headers: {} };
      throw error;
    });
  const run: ProviderRun = {
    ...{ service, requests, provider, line },
    judge: await createJudge(document),
    keys: createKeys(
      { service, requests, firstEntity: () => undefined, findEntity: () => undefined },
      askQuietly,
    ),
    created: rememberCreated(service),
  };
  const skipped: string[] = [];
  const asked: AskedOperation[] = [];
  for (const operation of toOrder(table.operations, provider.unsafe)) {
    const probe = createProbe(run.judge, line.ask, (request) => toHiddenCurl(request, provider));
    await askOperation(run, operation, probe);
    if (probe.cases.length > 0)
      asked.push({ operation, cases: probe.cases.map((each) => hideCase(each, hide)) });
    skipped.push(...probe.skipped.map(hide));
    progress();
  }
  const unsafe = table.operations.filter((operation) => !isSafe(operation)).length;
  if (!provider.unsafe && unsafe > 0)
    skipped.push(`${unsafe} operations that may change something were not asked. --unsafe asks them too.`);
  return { operations: asked, skipped };
}

interface ProviderRun {
  readonly service: Service;
  readonly requests: Requests;
  readonly provider: Provider;
  readonly line: ProviderLine;
  readonly judge: Judge;
  readonly keys: Keys;
  readonly created: Created;
}

const UNSAFE_ORDER = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** First what only reads, then what creates, changes and deletes; the deepest paths are deleted first. */
function toOrder(operations: readonly Operation[], unsafe: boolean): Operation[] {
  const rank = ({ method }: Operation) => UNSAFE_ORDER.indexOf(method);
  const depth = ({ method, path }: Operation) => (method === 'DELETE' ? -path.split('/').length : 0);
  return operations
    .filter((operation) => unsafe || isSafe(operation))
    .toSorted((one, other) => rank(one) - rank(other) || depth(one) - depth(other));
}

async function askOperation(run: ProviderRun, operation: Operation, probe: Probe): Promise<void> {
  const { requests, line } = run;
  const { label } = operation;
  if (line.isDown) return probe.skip(`${label} was not asked, because the server no longer answers.`);
  const values = await findValues(run, operation);
  if (values === undefined)
    return probe.skip(`${label} was not asked, because this check has created nothing to change or delete.`);
  const [body] = requests.bodies(operation);
  if (operation.body?.required && body === undefined)
    return probe.skip(`${label} was not asked, because no valid body was found.`);
  const questions = toProviderQuestions(operation, values, body);
  for (const question of questions) {
    if (!line.isDown) await askQuestion(run, { operation, values, question }, probe);
  }
}

/** The values of the path; `undefined` for an entity that somebody else owns, which may only be read. */
async function findValues({ service, keys, created }: ProviderRun, operation: Operation) {
  const action = service.model.actions.get(operation.id);
  const isOwned = ['PUT', 'PATCH'].includes(operation.method) && action?.resource.key !== undefined;
  if (operation.method === 'DELETE' || isOwned) return created.find(operation);
  return await keys.find(operation);
}

interface AskedQuestion {
  readonly operation: Operation;
  readonly values: Readonly<Record<string, string>>;
  readonly question: ProviderQuestion;
}

async function askQuestion(
  { requests, created }: ProviderRun,
  { operation, values, question }: AskedQuestion,
  probe: Probe,
): Promise<void> {
  const { name, options, mediaType, succeeds } = question;
  const request = requests.build(operation, question.values ?? values, options);
  if (typeof request === 'string') return probe.skip(`${operation.label} was not asked, because ${request}.`);
  if (!isSendable(request))
    return probe.skip(`${operation.label} was not asked, because no client can send its request.`);
  const expected = { statuses: ANY_STATUS, ...(mediaType !== undefined && { mediaType }) };
  const also = (response: Parameters<typeof findUndeclaredError>[1]) =>
    findUndeclaredError(operation, response);
  try {
    const response = await probe.ask({ name, operation, request, expected, also });
    created.add(operation, values, response);
    const unproved = succeeds ? toUnproved(operation, response) : undefined;
    if (unproved !== undefined) probe.skip(unproved);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    probe.miss(
      { name, operation, request },
      toFinding('answer-missing', `There was no answer: ${error.message}.`),
    );
  }
}

/** Writes a question as a line for the shell, without the values of the given headers. */
function toHiddenCurl(request: Parameters<typeof toCurl>[0], { base, headers }: Provider): string {
  const hidden = Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN]));
  return toCurl({ ...request, headers: { ...request.headers, ...hidden } }, base);
}

function hideCase(given: CheckCase, hide: (text: string) => string): CheckCase {
  return {
    ...given,
    mediaType: given.mediaType && hide(given.mediaType),
    violations: given.violations.map(({ code, message }) => ({ code, message: hide(message) })),
    curl: given.curl && hide(given.curl),
  };
}

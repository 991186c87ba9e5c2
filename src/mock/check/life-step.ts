import type { Operation } from '../../model/operations/operations.ts';
import type { ActionName, Resource } from '../../model/resources/resources.ts';
import type { MockRequest, MockResponse } from '../../wire/message/message.ts';
import type { Ask } from './answer.ts';
import type { CheckFinding } from './check-finding.ts';
import { type Expected, SUCCESSES } from './judge.ts';
import { toKeyedOptions } from './key-place.ts';
import { alignKeys } from './keys.ts';
import type { CheckContext } from './operation.ts';
import type { Probe } from './probe.ts';
import type { SampleBody } from './requests.ts';

/** The life cycle of one entity, with the parts that check it. */
export interface Life {
  readonly context: CheckContext;
  readonly resource: Resource;
  readonly probe: Probe;
  readonly ask: Ask;
  readonly find: (name: ActionName) => Operation | undefined;
}

/** Any success. */
export const FINE: Expected = { statuses: SUCCESSES };

/** One request of a life cycle. */
interface LifeStep {
  readonly name: string;
  readonly operation: Operation;
  readonly values: readonly string[];
  /** The values of query parameters that are not to be generated. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: SampleBody | undefined;
  readonly expected?: Expected;
  readonly also?: (response: MockResponse, request: MockRequest) => Promise<CheckFinding[]> | CheckFinding[];
}

/** Sends one request of a life cycle; `undefined` if no valid request was found. */
export async function take(
  { context, resource, probe }: Life,
  step: LifeStep,
): Promise<MockResponse | undefined> {
  const { name, operation, values, query = {}, body, expected = FINE, also } = step;
  const headers = toAccept(operation);
  const keyed = toKeyedOptions(context, operation, { item: values, body });
  const options = { body: keyed.body, query: { ...query, ...keyed.query }, headers };
  const request = context.requests.build(operation, alignKeys(operation, values), options);
  if (typeof request === 'string') {
    probe.skip(`${operation.label} was left out of the life of ${resource.name}, because ${request}.`);
    return undefined;
  }
  return probe.ask({
    name,
    operation,
    request,
    expected,
    ...(also && { also: (response) => also(response, request) }),
  });
}

/** Sends bodies until one is accepted, because a business rule may refuse a body that the document allows. */
export async function takeBodies(
  life: Life,
  step: LifeStep,
  bodies: readonly SampleBody[],
): Promise<{ readonly response: MockResponse; readonly body: SampleBody | undefined } | undefined> {
  const attempts = bodies.length === 0 ? [undefined] : bodies;
  for (const [index, body] of attempts.entries()) {
    const refusable = index < attempts.length - 1;
    const response = await take(life, { ...step, body, expected: { ...FINE, refusable } });
    if (response && response.status < 300) return { response, body };
  }
  return undefined;
}

/** Requests JSON if an operation has it. */
function toAccept({ responses }: Operation): Record<string, string> {
  const types = responses.filter(({ code }) => code.startsWith('2')).flatMap(({ contents = [] }) => contents);
  const found = types.find(({ mediaType }) => /json/.test(mediaType));
  return found ? { accept: found.mediaType } : {};
}

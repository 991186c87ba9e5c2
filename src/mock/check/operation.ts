import type { Service } from '../../core/service/service.ts';
import type { Operation } from '../../model/operations/operations.ts';
import type { MockRequest, MockResponse } from '../../wire/message/message.ts';
import { headerOf } from './answer.ts';
import { type CheckFinding, toFinding } from './check-finding.ts';
import { type Expected, SUCCESSES } from './judge.ts';
import { toQueryKey } from './key-place.ts';
import type { KeySources, Keys } from './keys.ts';
import type { Probe } from './probe.ts';
import { toQuestions } from './questions.ts';
import type { RequestOptions } from './requests.ts';

/** The parts that all checks of a document share. */
export interface CheckContext extends KeySources {
  readonly keys: Keys;
  /** Resets the state. */
  readonly restore: () => void;
}

/** Requests every answer that an operation declares, and its answer without preferences. */
export async function checkOperation(
  context: CheckContext,
  operation: Operation,
  probe: Probe,
): Promise<void> {
  const { service, requests, keys } = context;
  const stateful = isStateful(service, operation);
  const values = await keys.find(operation);
  const unasked = requests.build(operation, values);
  if (typeof unasked === 'string') {
    probe.skip(`${operation.label} was not asked, because ${unasked}.`);
    return;
  }
  const query = toQueryKey(context, operation);
  const put = buildPut(context, { operation, values, stateful, query }, probe);
  const [body, ...others] = requests.bodies(operation);
  for (const { name, headers, expected } of toQuestions(operation, stateful)) {
    await put(name, { body, headers }, expected);
  }
  if (operation.body?.required && body === undefined) {
    probe.skip(`${operation.label} was not asked for its own answer, because no valid body was found.`);
    return;
  }
  const statuses = [...SUCCESSES, ...toOtherStatuses(operation)];
  const expected = { statuses, refusable: stateful };
  await put('its own answer', { body }, expected);
  if (operation.parameters.some(({ required }) => !required)) {
    // State may be stricter than the schema, for example about the property to sort by or a page token.
    const more = stateful ? [...statuses, 400] : statuses;
    await put('its own answer, with every parameter', { body, all: true }, { ...expected, statuses: more });
  }
  for (const other of others) {
    await put(`its own answer to another body, ${other.mediaType}`, { body: other }, expected);
  }
}

interface PutSubject {
  readonly operation: Operation;
  readonly values: Readonly<Record<string, string>>;
  readonly stateful: boolean;
  readonly query: RequestOptions['query'];
}

type Put = (name: string, options: RequestOptions, expected: Expected) => Promise<void>;

/** Builds a function that sends a request of an operation, a GET also by HEAD, and restores the state. */
function buildPut(
  { service, requests, restore }: CheckContext,
  { operation, values, stateful, query }: PutSubject,
  probe: Probe,
): Put {
  const putHead = async (name: string, asked: MockRequest, got: MockResponse, expected: Expected) => {
    const request = { ...asked, method: 'HEAD' };
    if (service.table.probe('HEAD', request.path) !== operation) return;
    const also = (response: MockResponse) => compareHead(got, response);
    await probe.ask({ name: `${name}, by HEAD`, operation, request, expected, also });
  };
  return async (name, options, expected) => {
    const request = requests.build(operation, values, { ...options, ...(query && { query }) });
    if (typeof request === 'string') return;
    const response = await probe.ask({ name, operation, request, expected });
    if (request.method === 'GET') await putHead(name, request, response, expected);
    // Changes must not affect the next answer. Preferences never change anything.
    else if (stateful && headerOf(response, 'Preference-Applied') === undefined) restore();
  };
}

/** The answers of an operation without a success: its redirects, and its errors where it declares nothing else. */
function toOtherStatuses({ codes }: Operation): number[] {
  const redirects = codes.filter((code) => code.startsWith('3')).map((code) => code.replace(/xx$/i, '02'));
  const isSilent = !codes.some((code) => /^([23]|default)/i.test(code));
  const errors = isSilent ? codes.map((code) => code.replace(/xx$/i, '00')) : [];
  return [...redirects, ...errors].map(Number);
}

/** Whether state or a rule answers for an operation. */
function isStateful({ model, rules }: Service, { id }: Operation): boolean {
  return model.actions.has(id) || model.files.has(id) || rules?.actions.has(id) === true;
}

function compareHead(get: MockResponse, head: MockResponse): CheckFinding[] {
  const differing = HEAD_HEADERS.filter((name) => headerOf(get, name) !== headerOf(head, name));
  const messages = [
    ...(get.status === head.status ? [] : [`HEAD answered ${head.status}, but GET ${get.status}.`]),
    ...differing.map(
      (name) => `HEAD answered ${name}: ${headerOf(head, name)}, but GET ${headerOf(get, name)}.`,
    ),
  ];
  return messages.map((message) => toFinding('head-different', message));
}

const HEAD_HEADERS = ['Content-Type', 'Content-Length', 'Location', 'Link', 'X-Total-Count'];

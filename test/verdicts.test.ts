import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createInstance, getHttpOperationsFromSpec } from '@stoplight/prism-http';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRequests, type Requests } from '../src/mock/check/requests.ts';
import { createSamples } from '../src/mock/check/samples.ts';
import type { Operation } from '../src/model/operations/operations.ts';
import type { MockRequest } from '../src/wire/message/message.ts';
import { type Opened, openService } from './support/services.ts';

const OWN = fileURLToPath(new URL('../spec/openapi.yaml', import.meta.url));
const FOLDER = fileURLToPath(new URL('./documents/', import.meta.url));
const FILES = [
  OWN,
  ...readdirSync(FOLDER)
    .filter((name) => /\.(ya?ml|json)$/.test(name))
    .map((name) => FOLDER + name),
];

type IHttpOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number];

/** A document, as the mock and as Prism read it. */
interface Reading {
  readonly file: string;
  readonly ask: Opened['ask'];
  readonly requests: Requests;
  readonly pairs: readonly { readonly ours: Operation; readonly prisms: IHttpOperation }[];
}

/** Refusals that say that a request does not hold to the document. */
const REFUSALS = new Set([400, 415, 422]);

const noop = () => {};
const silent: Record<string, unknown> = { child: () => silent };
for (const level of ['success', 'info', 'warn', 'error', 'debug', 'trace', 'fatal']) silent[level] = noop;

async function read(file: string): Promise<Reading> {
  const { service, ask } = await openService({ spec: file, auth: false, stateless: true });
  const resources = await getHttpOperationsFromSpec(file);
  const pairs = service.table.operations.flatMap((ours) => {
    const prisms = resources.find(
      ({ method, path }) => method.toUpperCase() === ours.method && path === ours.path,
    );
    const json = (ours.body?.contents ?? []).every(({ mediaType }) => /^application\/json$/.test(mediaType));
    return prisms && json ? [{ ours, prisms }] : [];
  });
  const { document } = service;
  return { file, ask, requests: createRequests(document.reader, createSamples(document, 1)), pairs };
}

/** What Prism finds wrong with a request. */
async function judge(prisms: IHttpOperation, request: MockRequest): Promise<string[]> {
  const query: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(request.query))
    query[name] = name in query ? [query[name] ?? '', value].flat() : value;
  const prism = createInstance(
    {
      isProxy: false,
      checkSecurity: false,
      validateRequest: true,
      validateResponse: false,
      errors: false,
      mock: { dynamic: false },
      upstreamProxy: undefined,
    },
    {
      logger: silent as never,
      route: () => ({ _tag: 'Right', right: { ...prisms, callbacks: [] } }),
      mock: () => () => ({ _tag: 'Right', right: { statusCode: 200 } }),
    },
  );
  const text = request.body === undefined ? undefined : new TextDecoder().decode(request.body as Uint8Array);
  try {
    const result = await prism.request(
      {
        method: request.method.toLowerCase() as 'get',
        url: { path: request.path, query },
        headers: { ...request.headers },
        ...(text !== undefined && text !== '' && { body: JSON.parse(text) }),
      },
      [prisms],
    )();
    if (result._tag === 'Left') throw result.left;
    const { input } = result.right.validations;
    return input.map(({ message, path: place }) => `${place?.join('.')}: ${message}`);
  } catch (error) {
    // It throws over some parameters, where a client would get a 500.
    return [(error as Error).message];
  }
}

const JUNK = [
  'x',
  '1e3',
  '0x10',
  '9007199254740993',
  ' 1',
  '-1',
  '0',
  '1',
  '2.5',
  'true',
  'null',
  '',
  '99999',
  'a,b',
  'a b',
  '[1]',
  '{"a":1}',
  'ä',
  '2026-02-30',
];

type Change =
  | { readonly kind: 'path'; readonly at: number; readonly value: string }
  | { readonly kind: 'query'; readonly at: number; readonly value: string | undefined }
  | { readonly kind: 'body'; readonly at: number; readonly value: unknown };

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    kind: fc.constant('path' as const),
    at: fc.nat(3),
    value: fc.constantFrom(...JUNK.filter((each) => each !== '')),
  }),
  fc.record({
    kind: fc.constant('query' as const),
    at: fc.nat(6),
    value: fc.constantFrom(...JUNK, undefined),
  }),
  fc.record({
    kind: fc.constant('body' as const),
    at: fc.nat(8),
    value: fc.constantFrom<unknown>(undefined, null, 'x', '', 1, -1, 2.5, 2 ** 53, 1e21, true, [], {}, [1], {
      id: 'x',
    }),
  }),
);

const plan = fc.record({
  document: fc.nat(),
  operation: fc.nat(),
  all: fc.boolean(),
  body: fc.nat(3),
  changes: fc.array(change, { maxLength: 2 }),
});
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

function build({ requests, pairs }: Reading, { operation, all, body, changes }: Plan): Asked | undefined {
  const pair = pairs[operation % pairs.length];
  if (!pair) return undefined;
  const { ours } = pair;
  const bodies = requests.bodies(ours);
  const sample = bodies[body % Math.max(1, bodies.length)];
  const keys: Record<string, string> = {};
  const names = [...ours.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  for (const each of changes) {
    const name = each.kind === 'path' ? names[each.at % Math.max(1, names.length)] : undefined;
    if (each.kind === 'path' && name !== undefined) keys[name] = encodeURIComponent(each.value);
  }
  const request = requests.build(ours, keys, { all, body: sample });
  if (typeof request === 'string') return undefined;
  return { ...pair, request: changes.reduce((current, each) => apply(ours, current, each), request) };
}

function apply(operation: Operation, request: MockRequest, each: Change): MockRequest {
  if (each.kind === 'query') {
    const names = [...operation.parameters.flatMap((one) => (one.in === 'query' ? [one.name] : [])), 'other'];
    const query = new URLSearchParams(request.query);
    const name = names[each.at % names.length] ?? '';
    if (each.value === undefined) query.delete(name);
    else query.set(name, each.value);
    return { ...request, query: query.toString() };
  }
  if (each.kind !== 'body' || request.body === undefined || request.body.length === 0) return request;
  const value: unknown = JSON.parse(new TextDecoder().decode(request.body as Uint8Array));
  const changed = changeMember(value, each.at, each.value);
  const bytes = new TextEncoder().encode(changed === undefined ? '' : JSON.stringify(changed));
  return { ...request, body: bytes };
}

function changeMember(value: unknown, at: number, member: unknown): unknown {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  if (keys.length === 0 || at === 0) return member;
  const copy = structuredClone(value) as Record<string, unknown>;
  const key = keys[at % keys.length] ?? '';
  if (member === undefined) delete copy[key];
  else copy[key] = member;
  return copy;
}

/** A request, and the operation that it is for, as the mock and as Prism read it. */
interface Asked {
  readonly ours: Operation;
  readonly prisms: IHttpOperation;
  readonly request: MockRequest;
}

/** A disagreement, and what it is about. */
interface Difference {
  readonly file: string;
  readonly operation: Operation;
  readonly request: MockRequest;
  /** Whether the mock refused the request. */
  readonly refused: boolean;
  /** Why, in the words of the one who refused it. */
  readonly reasons: string;
}

interface Sent {
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Something that Prism does wrong, in which the mock is not to follow it. */
interface Fault {
  readonly name: string;
  readonly is: (difference: Difference) => boolean;
  /** A request that shows it: the document, the method, the path with its query, and what else it sends. */
  readonly shown: readonly [file: string, method: string, target: string, more?: Sent];
}

const FAULTS: readonly Fault[] = [
  {
    name: 'takes 1e3, 0x10 and a blank before 1 for integers',
    is: ({ refused, request }) => refused && /1e3|0x10|%201\b|\+1\b/.test(`${request.path}?${request.query}`),
    shown: ['openapi.yaml', 'GET', '/pets/1e3'],
  },
  {
    name: 'takes an integer beyond 2^53 for none, though int64 has it',
    is: ({ refused, reasons }) => !refused && reasons.includes('<= 9007199254740991'),
    shown: ['openapi.yaml', 'GET', '/store/orders?petId=9007199254740993'],
  },
  {
    name: 'takes a parameter without a value for one that is not there',
    is: ({ refused, request }) => refused && /=(&|$)/.test(request.query),
    shown: ['wrapped-lists.yaml', 'GET', '/reviews?limit='],
  },
  {
    name: 'takes a body of null or an empty text for none',
    is: ({ refused, request: { body } }) =>
      refused && body instanceof Uint8Array && ['null', '""'].includes(new TextDecoder().decode(body)),
    shown: ['singleton.yaml', 'PATCH', '/settings', { body: 'null' }],
  },
  {
    name: 'does not read parameters that are JSON',
    is: ({ refused, operation }) => refused && operation.path === '/content',
    shown: ['parameters.yaml', 'GET', '/content?filter=-1'],
  },
  {
    name: 'passes over the plain value of a deepObject parameter',
    is: ({ refused, operation }) => refused && operation.path === '/deep',
    shown: ['parameters.yaml', 'GET', '/deep?filter=x'],
  },
  {
    name: 'reads one item too many or too few where blanks stand between them',
    is: ({ refused, reasons }) => !refused && reasons.startsWith('query.spaces'),
    shown: ['parameters.yaml', 'GET', '/delimited?spaces=a%20a%20b&pipes=b%7Cb'],
  },
  {
    name: 'fails over a header that is an object and is not there',
    is: ({ refused, reasons }) => !refused && /split/.test(reasons),
    shown: ['parameters.yaml', 'GET', '/simple/38/53,369,72', { headers: { 'x-count': '471' } }],
  },
  {
    name: 'wants from a client what is readOnly, where a schema leads to itself',
    is: ({ refused, file, reasons }) =>
      !refused && /circular/.test(file) && reasons.includes("property 'id'"),
    shown: ['circular.yaml', 'POST', '/departments', { body: '{"name":"a","parent":{"name":"b"}}' }],
  },
  {
    name: 'misses an object of optional members that has none of them',
    is: ({ refused, reasons }) => !refused && reasons.includes("required property 'pageable'"),
    shown: ['filters.yaml', 'GET', '/loans'],
  },
];

const RUNS = 12_000;

type Comparison = readonly [verdict: 'accepted' | 'refused', fault?: string];

/** What mock and Prism say of a request: whether it is refused, and the fault of Prism's if they do not agree. */
async function compare(reading: Reading, { ours: operation, prisms, request }: Asked): Promise<Comparison> {
  const { response, entry } = await reading.ask(request);
  const refused = REFUSALS.has(response.status);
  const faults = await judge(prisms, request);
  const verdict = refused ? 'refused' : 'accepted';
  if (refused === faults.length > 0) return [verdict];
  const reasons = refused ? (entry.problem?.message ?? '') : faults.join('; ');
  const difference = { file: reading.file, operation, request, refused, reasons };
  const fault = FAULTS.find(({ is }) => is(difference));
  return [verdict, fault?.name ?? `UNKNOWN ${reading.file} ${operation.label} is ${verdict}: ${reasons}`];
}

/** The request that shows a fault. */
function ask({ pairs }: Reading, [, method, target, more = {}]: Fault['shown']): Asked {
  const [path = '', query = ''] = target.split('?');
  const pair = pairs.find(({ ours }) => ours.method === method && matches(ours.path, path));
  if (!pair) throw new Error(`The document has no ${method} ${path}.`);
  const { body } = more;
  const headers = { ...(body !== undefined && { 'content-type': 'application/json' }), ...more.headers };
  const bytes = body === undefined ? undefined : new TextEncoder().encode(body);
  return { ...pair, request: { method, path, query, headers, body: bytes } };
}

function matches(template: string, path: string): boolean {
  const segments = path.split('/');
  const wanted = template.split('/');
  return (
    wanted.length === segments.length && wanted.every((each, at) => /\{/.test(each) || each === segments[at])
  );
}

describe('A request', async () => {
  const readings = (await Promise.all(FILES.map(read))).filter(({ pairs }) => pairs.length > 0);
  const title = 'is refused if and only if Prism finds fault with it, but for faults of its own';

  test(title, { timeout: 120_000 }, async () => {
    const verdicts = { accepted: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(plan, async (one) => {
        const reading = readings[one.document % readings.length] as Reading;
        const asked = build(reading, one);
        if (!asked) return;
        const [verdict, fault] = await compare(reading, asked);
        verdicts[verdict] += 1;
        expect(fault ?? '').not.toContain('UNKNOWN');
      }),
      { numRuns: RUNS },
    );
    // Requests that are all alike would prove nothing.
    expect(Math.min(verdicts.accepted, verdicts.refused)).toBeGreaterThan(RUNS / 10);
  });

  // A fault that Prism has no more would be out of date.
  test.each(FAULTS)('shows that Prism $name', async ({ name, shown }) => {
    const reading = readings.find(({ file }) => basename(file) === shown[0]) as Reading;
    expect((await compare(reading, ask(reading, shown)))[1]).toBe(name);
  });
});

import { expect, test } from 'vitest';
import { toExecReport } from '../src/cli/exec-report.ts';
import { createLog } from '../src/cli/log.ts';
import { createMock, type Mock, type MockOptions } from '../src/index.ts';
import { describeFindings } from '../src/runners/describe-findings.ts';
import { json } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';

type Sent = readonly [path: string, init?: RequestInit];

/** A request, the options of its mock, and the code that makes it a breach; none for one that keeps to the contract. */
interface Case {
  readonly sent: readonly Sent[];
  readonly options?: MockOptions;
  readonly status: number;
  readonly violation?: string;
  readonly unknown?: string;
}

const thing = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };

const SPEC = {
  ...documentOf({
    '/things': {
      get: { operationId: 'listThings', security: [{ key: [] }], responses: jsonAnswer({ type: 'array' }) },
      patch: {
        operationId: 'changeThings',
        requestBody: { content: { 'application/json': { schema: thing } } },
        responses: { ...jsonAnswer(thing), 428: { description: 'Needs If-Match.' } },
      },
    },
    '/things/{id}': {
      delete: {
        operationId: 'deleteThing',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 204: { description: 'Gone.' }, 428: { description: 'Needs If-Match.' } },
      },
      get: {
        operationId: 'getThing',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: jsonAnswer(thing),
      },
    },
    '/login': {
      post: {
        operationId: 'login',
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { email: { type: 'string' }, password: { type: 'string' } },
              },
            },
          },
        },
        responses: jsonAnswer({ type: 'object', properties: { token: { type: 'string' } } }),
      },
    },
    '/me': {
      get: {
        operationId: 'readMe',
        security: [{ bearer: [] }],
        responses: jsonAnswer({
          type: 'object',
          properties: {
            id: { type: 'integer' },
            email: { type: 'string' },
            password: { type: 'string', writeOnly: true },
          },
        }),
      },
    },
    '/old': {
      get: {
        operationId: 'readOld',
        deprecated: true,
        'x-sunset': '2027-01-01',
        responses: jsonAnswer({ type: 'string' }),
      },
    },
  }),
  components: {
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      bearer: { type: 'http', scheme: 'bearer' },
    },
  },
};

const pet = { name: 'Rex', categoryId: 1 };
const keyed = (body: unknown) => json('POST', body, { 'Idempotency-Key': 'one' });
const bad = (headers: Record<string, string> = {}) => json('POST', { name: 'Rex' }, headers);
const with_ = (headers: Record<string, string>): RequestInit => ({ headers });
const preflight = {
  method: 'OPTIONS',
  headers: { Origin: 'http://a.test', 'Access-Control-Request-Method': 'GET' },
};

const CASES: Readonly<Record<string, Case>> = {
  // These keep to the contract.
  'an answer from state': { sent: [['/pets/2']], status: 200 },
  'an entity that is not there': { sent: [['/pets/404']], status: 404 },
  'a business rule': { sent: [['/categories/1', { method: 'DELETE' }]], status: 409 },
  'an unknown reference': { sent: [['/pets', json('POST', { ...pet, categoryId: 404 })]], status: 422 },
  'a precondition that fails': {
    sent: [['/pets/2', { method: 'DELETE', headers: { 'If-Match': '"x"' } }]],
    status: 412,
  },
  'a fault': { sent: [['/pets']], options: { errors: ['listPets=400'] }, status: 400 },
  'a rate limit': {
    sent: [['/pets'], ['/pets']],
    options: { rateLimit: ['1/1m'] },
    status: 429,
  },
  'a fault of the request': { sent: [['/pets', with_({ 'X-Mock-Fault': '422' })]], status: 422 },
  'a status that is asked for': { sent: [['/pets/2', with_({ Prefer: 'code=404' })]], status: 404 },
  'an unknown example that is asked for': {
    sent: [['/pets/2', with_({ Prefer: 'example=none' })]],
    status: 404,
  },
  'a preference that is ignored': { sent: [['/categories', with_({ Prefer: 'cod=404' })]], status: 200 },
  'a mistake in the name of a session': {
    sent: [['/pets', with_({ 'X-Mock-Session': 'a b' })]],
    status: 400,
  },
  'a preflight': { sent: [['/pats', preflight]], status: 204 },
  'a preflight without CORS': { sent: [['/pats', preflight]], options: { cors: false }, status: 404 },
  'a sunset that has passed': {
    sent: [['/old']],
    options: { spec: SPEC, now: '2027-02-01', sunset: 'gone' },
    status: 410,
  },
  'a token that no login issued': {
    sent: [['/me', with_({ Authorization: 'Bearer nobody' })]],
    options: { spec: SPEC, strictAuth: true },
    status: 401,
  },
  'an expected violation': { sent: [['/pets', bad({ 'X-Mock-Expect': '422' })]], status: 422 },
  'an expected 401': {
    sent: [['/things', with_({ 'X-Mock-Expect': '401' })]],
    options: { spec: SPEC },
    status: 401,
  },
  'an expected reuse of a key': {
    sent: [
      ['/pets', keyed(pet)],
      ['/pets', json('POST', { ...pet, name: 'Nori' }, { 'Idempotency-Key': 'one', 'X-Mock-Expect': '4xx' })],
    ],
    status: 422,
  },
  'an expected unknown path': { sent: [['/pats', with_({ 'X-Mock-Expect': '404' })]], status: 404 },
  'an expected unknown parameter': {
    sent: [['/pets?statuss=sold', with_({ 'X-Mock-Expect': '2xx' })]],
    status: 200,
  },

  // These break it.
  'missing credentials': {
    ...{ sent: [['/things']], options: { spec: SPEC }, status: 401, violation: 'unauthorized' },
  },
  'malformed credentials': {
    sent: [['/me', with_({ Authorization: 'Basic x' })]],
    ...{ options: { spec: SPEC }, status: 401, violation: 'unauthorized' },
  },
  'a reused key': {
    sent: [
      ['/pets', keyed(pet)],
      ['/pets', keyed({ ...pet, name: 'Nori' })],
    ],
    ...{ status: 422, violation: 'idempotency_key_reused' },
  },
  'a malformed key': {
    sent: [['/pets', json('POST', pet, { 'Idempotency-Key': 'a b' })]],
    ...{ status: 400, violation: 'pattern' },
  },
  'an invalid parameter': { sent: [['/pets?limit=x']], status: 400, violation: 'type' },
  'an invalid body': { sent: [['/pets', bad()]], status: 422, violation: 'required' },
  'another status than the expected one': {
    ...{ sent: [['/pets', bad({ 'X-Mock-Expect': '400' })]], status: 422, violation: 'required' },
  },
  'a malformed body': {
    sent: [['/pets', { ...json('POST', {}), body: '{' }]],
    ...{ status: 400, violation: 'malformed_json' },
  },
  'a malformed path': { sent: [['/pets/%zz']], status: 400, violation: 'malformed_path' },
  'a type that no operation takes': {
    sent: [['/pets', { method: 'POST', body: 'x', headers: { 'Content-Type': 'text/x' } }]],
    ...{ status: 415, violation: 'unsupported_media_type' },
  },
  'a type that no operation writes': {
    ...{ sent: [['/pets/2', with_({ Accept: 'image/png' })]], status: 406, violation: 'not_acceptable' },
  },
  'a missing If-Match': {
    sent: [['/things/1', { method: 'DELETE' }]],
    ...{ options: { spec: SPEC }, status: 428, violation: 'precondition_required' },
  },
  'an unknown path': { sent: [['/pats']], status: 404, unknown: 'path_not_found' },
  'an unknown method': { sent: [['/pets', { method: 'PUT' }]], status: 405, unknown: 'method_not_allowed' },
  'a method that no path has': {
    sent: [['/pets', { method: 'LINK' }]],
    ...{ status: 501, unknown: 'method_not_implemented' },
  },
  'an unknown parameter': { sent: [['/pets?statuss=sold']], status: 200, unknown: 'parameter-unknown' },
  'an unknown parameter that is refused': {
    sent: [['/pets?statuss=sold']],
    ...{ options: { strict: true }, status: 400, unknown: 'parameter-unknown' },
  },
  'an unknown member': {
    ...{ sent: [['/pets', json('POST', { ...pet, nme: 1 })]], status: 201, unknown: 'member-unknown' },
  },
  'a body that is ignored': {
    sent: [['/categories/8', { method: 'DELETE', body: 'x' }]],
    ...{ status: 204, unknown: 'body-ignored' },
  },
  'an unknown parameter of an answer from the cache': {
    sent: [['/pets?statuss=sold'], ['/pets?statuss=sold']],
    ...{ status: 200, unknown: 'parameter-unknown' },
  },
};

/** What all who judge a request say of the last one. */
async function ask({ sent, options }: Case) {
  const lines: string[] = [];
  const { logExchange } = createLog({ level: 'debug', format: 'json', color: false }, (line) => {
    lines.push(line);
  });
  const mock = await createMock({ ...options, ...(logExchange && { onExchange: logExchange }) });
  for (const each of sent.slice(0, -1)) await mock.fetch(...each);
  const before = mock.coverage();
  await mock.fetch('/__mock/journal', { method: 'DELETE' });
  lines.length = 0;
  const { status } = await mock.fetch(...(sent.at(-1) as Sent));
  return { mock, status, before, line: JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> };
}

/** The rows of the table that exec prints. */
function countOf(mock: Mock, kind: 'violations' | 'unknown'): number {
  const { text } = toExecReport(mock.coverage(), []);
  return Number(new RegExp(`^ {2}${kind} +(\\d+)`, 'm').exec(text)?.[1] ?? 0);
}

test.each(Object.entries(CASES))('Everyone judges alike: %s', async (_, one) => {
  const { mock, status, before, line } = await ask(one);
  const { violation, unknown } = one;
  const code = violation ?? unknown;
  const codes = code === undefined ? [] : [code];
  expect(status).toBe(one.status);

  const entry = mock.journal.at(-1);
  expect(entry?.breaches.map((each) => each.code)).toEqual(codes);
  expect(entry?.breaches.map((each) => each.kind)).toEqual(
    codes.map(() => (violation === undefined ? 'unknown' : 'violation')),
  );
  const shown = await mock.fetch('/__mock/journal');
  expect(await shown.json()).toMatchObject({ entries: [{ breaches: entry?.breaches }] });

  const { violations, unknown: uses } = mock.coverage();
  const total = (list: readonly { readonly count: number }[]) =>
    list.reduce((sum, { count }) => sum + count, 0);
  expect(total(violations) - total(before.violations)).toBe(violation === undefined ? 0 : 1);
  expect(total(uses) - total(before.unknown)).toBe(unknown === undefined ? 0 : 1);
  expect(countOf(mock, 'violations')).toBe(total(violations));
  expect(countOf(mock, 'unknown')).toBe(total(uses));

  const described = describeFindings(mock.journal) ?? '';
  expect(described.includes('broke the contract')).toBe(code !== undefined);
  if (code !== undefined) expect(described).toContain(`[${code}]`);

  const count = mock.journal.filter(({ breaches }) => breaches.length > 0).length;
  expect(mock.verify({ breaches: true, times: count })).toHaveLength(codes.length);
  expect(mock.verify({ breaches: false, times: 1 - count })).toHaveLength(1 - codes.length);

  expect(line.breaches).toEqual(code === undefined ? undefined : [code]);
  if (code !== undefined) expect(line.level).toBe('warn');
});

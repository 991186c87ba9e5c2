import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { main, type Terminal } from '../src/cli/cli.ts';
import type { Handler } from '../src/core/handle/handle.ts';
import { resetSession, type Sessions } from '../src/core/service/service.ts';
import { type CheckReport, createMock } from '../src/index.ts';
import { type CheckCode, checkService } from '../src/mock/check/check.ts';
import type { MockRequest, MockResponse } from '../src/wire/message/message.ts';
import { DEFAULT_ERROR, documentOf, jsonAnswer } from './support/documents.ts';
import { openService } from './support/services.ts';

const THING = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};
const NEW_THING = { type: 'object', properties: { name: { type: 'string' } } };

function withBody(operation: object): object {
  return {
    ...operation,
    requestBody: { required: true, content: { 'application/json': { schema: NEW_THING } } },
  };
}

/** A document of things that have state. */
const THINGS = documentOf({
  '/things': {
    get: { operationId: 'listThings', responses: jsonAnswer({ type: 'array', items: THING }) },
    post: withBody({
      operationId: 'createThing',
      responses: {
        201: { description: 'It.', content: { 'application/json': { schema: THING } } },
        ...DEFAULT_ERROR,
      },
    }),
  },
  '/things/{thingId}': {
    parameters: [{ name: 'thingId', in: 'path', required: true, schema: { type: 'integer' } }],
    get: { operationId: 'getThing', responses: jsonAnswer(THING) },
    put: withBody({ operationId: 'replaceThing', responses: jsonAnswer(THING) }),
    delete: { operationId: 'deleteThing', responses: { 204: { description: 'Gone.' } } },
  },
});

/** A document whose named example breaks its own schema. */
const BROKEN = documentOf({
  '/greeting': {
    get: {
      operationId: 'greet',
      responses: jsonAnswer(
        { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
        { examples: { good: { value: { text: 'Hello' } }, bad: { value: { txt: 'a < b & "c" \u0001' } } } },
      ),
    },
  },
});

async function check(spec?: object): Promise<CheckReport> {
  const mock = await createMock(spec === undefined ? {} : { spec });
  return mock.check();
}

function namesOf(report: CheckReport, operation: string): string[] {
  return report.operations.find((each) => each.operation === operation)?.cases.map(({ name }) => name) ?? [];
}

describe('The proof', () => {
  test('finds nothing wrong with the pet store, and asks every operation', async () => {
    const report = await check();
    expect(report.violations).toEqual([]);
    expect(report.skipped).toEqual([]);
    expect(report.operations).toHaveLength(21);
    expect(report.checks).toBeGreaterThan(700);
    expect(report.document.title).toBe('Pet Store');
  });

  test('asks for every status in every media type, for every example, and for the own answer', async () => {
    const spec = documentOf({
      '/report': {
        get: {
          operationId: 'getReport',
          parameters: [{ name: 'year', in: 'query', schema: { type: 'integer' } }],
          responses: {
            200: {
              description: 'It.',
              content: {
                'application/json': { schema: NEW_THING, examples: { short: { value: { name: 'x' } } } },
                'text/plain': { schema: { type: 'string' } },
              },
            },
            '4XX': { description: 'Yours.' },
            default: { description: 'Ours.' },
          },
        },
      },
    });
    const report = await check(spec);
    const names = namesOf(report, 'getReport').filter((name) => !name.endsWith('by HEAD'));
    expect(names).toEqual([
      '200 as application/json',
      '200 as application/json, example short',
      '200 as application/json, made up',
      '200 as text/plain',
      '400',
      '500',
      '503',
      'its own answer',
      'its own answer, with every parameter',
    ]);
    expect(namesOf(report, 'getReport')).toHaveLength(2 * names.length);
    expect(report.violations).toEqual([]);
  });

  test('leads an entity of every resource through its life, through both adapters', async () => {
    const report = await check(THINGS);
    expect(report.violations).toEqual([]);
    const steps = ['create', 'read', 'list', 'replace', 'read after replace', 'remove', 'read after remove'];
    const lives = report.resources.map(({ resource, adapter, cases }) => [
      resource,
      adapter,
      cases.map(({ name }) => name),
    ]);
    const whole = [...steps, 'list after remove', 'remove again'];
    expect(lives).toEqual([
      ['things', 'in process', whole],
      ['things', 'over a socket', whole],
    ]);
    const statuses = report.resources.map(({ cases }) => cases.map(({ status }) => status));
    expect(statuses).toEqual(Array(2).fill([201, 200, 200, 200, 200, 204, 404, 200, 404]));
  });

  test('leaves the state as it was', async () => {
    const mock = await createMock({ spec: THINGS });
    const init = { method: 'POST', body: '{"name":"mine"}', headers: { 'Content-Type': 'application/json' } };
    const { id } = (await (await mock.fetch('/things', init)).json()) as { id: number };
    const before = await (await mock.fetch('/things')).text();
    await mock.check();
    expect(await (await mock.fetch('/things')).text()).toBe(before);
    expect(await (await mock.fetch('/things', init)).json()).toMatchObject({ id: id + 1 });
  });

  test('asks without the faults and delays of the mock', async () => {
    const mock = await createMock({ spec: THINGS, errors: ['createThing=500'], delay: 60_000 });
    expect((await mock.check()).violations).toEqual([]);
  });

  test('finds an example that breaks its own schema, and says how to see it', async () => {
    const { violations } = await check(BROKEN);
    expect(violations.filter(({ name }) => !name.endsWith('HEAD'))).toEqual([
      {
        operation: 'greet',
        name: '200 as application/json, example bad',
        code: 'example-invalid',
        message: expect.stringMatching(
          /^The document's example bad for 200 as application\/json breaks its schema: body: .*'text'.*\. Correct the example or the schema\.$/,
        ),
        curl: "curl http://localhost:4010/greeting -H 'prefer: code=200, example=bad' -H 'accept: application/json'",
      },
    ]);
  });

  test('judges each kind of JSON by its own schema', async () => {
    const schema = (name: string) => ({ schema: { type: 'object', required: [name] } });
    const content = { 'application/json': schema('plain'), 'application/hal+json': schema('_links') };
    const responses = { 200: { description: 'It.', content } };
    const mock = await createMock({ spec: documentOf({ '/greeting': { get: { responses } } }) });
    expect((await mock.check()).violations).toEqual([]);
  });

  test('says what it could not ask', async () => {
    const never = { type: 'string', pattern: '^a$', minLength: 2 };
    const parameters = [{ name: 'never', in: 'query', required: true, schema: never }];
    const { skipped, checks } = await check(
      documentOf({ '/never': { get: { operationId: 'never', parameters, responses: jsonAnswer(THING) } } }),
    );
    expect(skipped).toEqual([
      'GET /never was not asked, because no valid value was found for its parameter never.',
    ]);
    expect(checks).toBe(0);
  });

  test('tells how far it is', async () => {
    const mock = await createMock({ spec: THINGS });
    const seen: [number, number][] = [];
    await mock.check({ onProgress: (done, all) => seen.push([done, all]) });
    expect(seen).toEqual([1, 2, 3, 4, 5, 6].map((done) => [done, 6]));
  });
});

/** What a faulty mock would make of a right answer. */
type Tamper = (request: MockRequest, response: MockResponse, sessions: Sessions) => MockResponse;

const isGet = ({ method }: MockRequest): boolean => method === 'GET';
const withHeader = (response: MockResponse, name: string, value: string): MockResponse => ({
  ...response,
  headers: { ...response.headers, [name]: value },
});
const withText = (response: MockResponse, body: string): MockResponse => ({
  ...withHeader(response, 'Content-Length', String(Buffer.byteLength(body))),
  body,
});
const isItem = ({ path }: MockRequest): boolean => /^\/things\/./.test(path);

const FAULTS: readonly (readonly [what: string, tamper: Tamper, code: CheckCode, message: RegExp])[] = [
  [
    'a status is another',
    (_, response) => ({ ...response, status: 500 }),
    'status-unexpected',
    /^It answered 500 instead of 200/,
  ],
  [
    'a success is not declared',
    (request, response) => (isGet(request) ? { ...response, status: 203 } : response),
    'status-undeclared',
    /^It answered 203, which the document does not declare/,
  ],
  [
    'a length is wrong',
    (_, response) => (response.body ? withHeader(response, 'Content-Length', '1') : response),
    'content-length-wrong',
    /^Its Content-Length is 1, but its body has \d+ bytes\.$/,
  ],
  [
    'a media type is another',
    (_, response) => (response.body ? withHeader(response, 'Content-Type', 'text/plain') : response),
    'content-type-wrong',
    /^Its Content-Type is text\/plain; the document declares application\/json for 200\.$/,
  ],
  [
    'a preference was not applied',
    (_, response) => withHeader(response, 'Preference-Applied', 'code=299'),
    'preference-wrong',
    /^Its Preference-Applied is "code=299" instead of "code=/,
  ],
  [
    'a property is missing',
    (request, response) => (isGet(request) && isItem(request) ? withText(response, '{}') : response),
    'answer-invalid',
    /^It does not hold to the document: body: .*'id'/,
  ],
  [
    'a body is no JSON',
    (request, response) => (isGet(request) ? withText(response, '{') : response),
    'body-unreadable',
    /^It cannot be read: /,
  ],
  [
    'an answer without content has some',
    (request, response) =>
      request.method === 'DELETE' && response.status === 204 ? withText(response, 'x') : response,
    'body-forbidden',
    /^It answered 204 with a body/,
  ],
  [
    'HEAD says something else than GET',
    (request, response) =>
      request.method === 'HEAD' ? withHeader(response, 'Content-Length', '0') : response,
    'head-different',
    /^HEAD answered Content-Length: 0, but GET \d+\.$/,
  ],
  [
    'what was created is not listed',
    (request, response) => (isGet(request) && !isItem(request) ? withText(response, '[]') : response),
    'list-incomplete',
    /^It does not list the thing \d+\.$/,
  ],
  [
    'what was replaced is not changed',
    (request, response, sessions) => {
      if (request.method === 'PUT') resetSession(sessions.use());
      return response;
    },
    'status-unexpected',
    /^It answered 404 instead of a success/,
  ],
  [
    'what was removed is still there',
    (request, response) =>
      isGet(request) && isItem(request) && response.status === 404
        ? { ...withText(response, '{"id":1}'), status: 200 }
        : response,
    'status-unexpected',
    /^It answered 200 instead of 404 or 410/,
  ],
  [
    'another entity is shown',
    (request, response) =>
      isGet(request) && isItem(request) && response.status === 200
        ? withText(response, '{"id":4711}')
        : response,
    'entity-missing',
    /^It does not show the thing \d+: \{"id":4711\}$/,
  ],
  ['what was removed is still listed', listForever(), 'list-stale', /^It still lists the thing \d+\.$/],
  [
    'an answer without content has a type',
    (_, response) =>
      response.status === 204 ? withHeader(response, 'Content-Type', 'text/plain') : response,
    'body-undeclared',
    /^It has a body of text\/plain, though the document declares none for 204\.$/,
  ],
  [
    'an answer lacks its body',
    (request, response) =>
      isGet(request) && response.status === 200
        ? { status: 200, headers: { 'Content-Length': '0' }, body: undefined }
        : response,
    'body-missing',
    /^It has no body, though application\/json was asked for\.$/,
  ],
];

/** A list that shows every entity that was ever created. */
function listForever(): Tamper {
  const made: string[] = [];
  return (request, response) => {
    if (request.method === 'POST' && response.body) made.push(String(response.body));
    return isGet(request) && !isItem(request) && made.length > 0
      ? withText(response, `[${made.join(',')}]`)
      : response;
  };
}

describe('The proof finds out that', () => {
  test.each(FAULTS)('%s', async (_, tamper, code, message) => {
    const { sessions, handler } = await openService({ spec: THINGS });
    const answer: Handler['answer'] = async (request) =>
      tamper(request, await handler.answer(request), sessions);
    const { violations } = await checkService({ sessions, handler: { ...handler, answer } });
    expect(violations).toContainEqual(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });
});

/** A singleton in an envelope, whose PUT only acknowledges, and whose PATCH answers it in an envelope of its own. */
const SETTINGS = (() => {
  const wrap = (schema: object, name = 'data') => ({ type: 'object', properties: { [name]: schema } });
  const schema = {
    type: 'object',
    properties: { colour: { type: 'string' }, size: { type: 'integer' }, dark: { type: 'boolean' } },
  };
  const requestBody = { content: { 'application/json': { schema } } };
  return documentOf({
    '/settings': {
      get: { responses: jsonAnswer(wrap(schema)) },
      put: { requestBody, responses: jsonAnswer(wrap({ type: 'boolean' })) },
      patch: { requestBody, responses: jsonAnswer(wrap(schema, 'result')) },
    },
  });
})();

/** Teams whose changes answer the keys of the members that a read shows, and no key of their own. */
const TEAMS = (() => {
  const person = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } };
  const [integer, text] = [{ type: 'integer' }, { type: 'string' }];
  const own = { name: text, since: text };
  const team = {
    type: 'object',
    properties: { id: integer, ...own, people: { type: 'array', items: person } },
  };
  const sent = { type: 'object', properties: { ...own, people: { type: 'array', items: integer } } };
  const requestBody = { content: { 'application/json': { schema: sent } } };
  const id = { name: 'id', in: 'path', required: true, schema: integer };
  return documentOf({
    '/teams': {
      get: { responses: jsonAnswer({ type: 'array', items: team }) },
      post: { requestBody, responses: jsonAnswer(team) },
    },
    '/teams/{id}': {
      parameters: [id],
      get: { responses: jsonAnswer(team) },
      put: { requestBody, responses: jsonAnswer({ type: 'object', properties: { data: sent } }) },
    },
  });
})();

async function findFaults(spec: object, tamper: Tamper): Promise<string[]> {
  const { sessions, handler } = await openService({ spec });
  const answer: Handler['answer'] = async (request) =>
    tamper(request, await handler.answer(request), sessions);
  const { violations } = await checkService({ sessions, handler: { ...handler, answer } });
  return violations.map(({ name, message, code }) => `${name}: ${message} [${code}]`);
}

const forgetting =
  (method: string): Tamper =>
  (request, response, sessions) => {
    if (request.method === method) resetSession(sessions.use());
    return response;
  };

describe('The proof finds the entity in an answer', () => {
  test.each([
    ['that only acknowledges a change', SETTINGS],
    ['that shows it without its key, and others by their keys', TEAMS],
  ])('%s', async (_, spec) => {
    const report = await check(spec);
    expect(report.violations).toEqual([]);
    expect(report.resources.flatMap(({ cases }) => cases.map(({ name }) => name))).toContain(
      'read after replace',
    );
  });

  test.each([
    ['PUT', 'replace'],
    ['PATCH', 'update'],
  ])('in an envelope, and sees that a %s was forgotten', async (method, name) => {
    const faults = await findFaults(SETTINGS, forgetting(method));
    expect(faults).toContainEqual(
      expect.stringMatching(
        `^read after ${name}: It (shows nothing of what was sent.* \\[change-lost|shows .* as .* \\[entity-different)\\]$`,
      ),
    );
  });

  test('in an envelope, and sees that a read shows another value than the change did', async () => {
    const faults = await findFaults(TEAMS, (request, response) =>
      request.method === 'PUT' && response.body
        ? withText(response, String(response.body).replace(/"name":"[^"]*"/, '"name":"another"'))
        : response,
    );
    expect(faults).toContainEqual(
      expect.stringMatching(/^read after replace: It shows name as .* \[entity-different\]$/),
    );
  });
});

const files = mkdtempSync(join(tmpdir(), 'petstore-mock-check-'));

/** Runs the command on a document, and gives back what it printed. */
async function run(spec: object | undefined, ...flags: string[]) {
  const file = join(files, 'openapi.json');
  if (spec) writeFileSync(file, JSON.stringify(spec));
  let out = '';
  let err = '';
  const terminal: Terminal = {
    env: {},
    cwd: files,
    isTTY: false,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    stopped: () => new Promise(() => {}),
  };
  const code = await main(['check', ...(spec ? ['--spec', file] : []), ...flags], terminal);
  return { code, out, err };
}

describe('petstore-mock check', () => {
  test('prints a line for each operation and resource, and exits with 0', async () => {
    const { code, out, err } = await run(THINGS);
    expect(out.split('\n').map((line) => line.replace(/ +/g, ' '))).toEqual([
      'METHOD PATH CHECKS RESULT',
      'GET /things 4 ok',
      'POST /things 4 ok',
      'GET /things/{thingId} 4 ok',
      'PUT /things/{thingId} 2 ok',
      'DELETE /things/{thingId} 2 ok',
      '',
      'RESOURCE REACHED CHECKS RESULT',
      'things in process 9 ok',
      'things over a socket 9 ok',
      '',
      '34 checks, 0 violations',
      '',
    ]);
    expect(err).toBe('');
    expect(code).toBe(0);
  });

  test('prints each violation with its request, and exits with 1', async () => {
    const { code, out } = await run(BROKEN);
    expect(out).toMatch(/^GET +\/greeting +10 +1 violation$/m);
    expect(out).toMatch(
      /^greet, asked for 200 as application\/json, example bad:\n {2}The document's example bad .* \[example-invalid\]\n {2}curl http:\/\/localhost:4010\/greeting /m,
    );
    expect(out).toMatch(/\n10 checks, 1 violation\n$/);
    expect(code).toBe(1);
  });

  test('prints the report as JSON', async () => {
    const { code, out } = await run(THINGS, '--format', 'json');
    const report: CheckReport = JSON.parse(out);
    expect(Object.keys(report)).toEqual([
      'document',
      'checks',
      'violations',
      'skipped',
      'operations',
      'resources',
      'milliseconds',
    ]);
    expect(report.operations[0]).toMatchObject({ operation: 'listThings', method: 'GET', path: '/things' });
    expect(report.operations[0]?.cases[0]).toMatchObject({
      name: '200 as application/json',
      operation: 'listThings',
      status: 200,
      mediaType: 'application/json',
      violations: [],
    });
    expect(code).toBe(0);
  });

  test('prints JUnit XML, with everything escaped that XML does not take', async () => {
    const { code, out } = await run(BROKEN, '--format', 'junit');
    expect(out).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites name="Small" tests="10" failures="1" time="[\d.]+">\n/,
    );
    expect(out).toMatch(/^ {2}<testsuite name="GET \/greeting" tests="10" failures="1">$/m);
    expect(out).toMatch(
      /^ {6}<failure message="The document's example bad [^"]*'text'\. Correct [^"]*" type="example-invalid">The document's example bad [^<]* \[example-invalid\]\ncurl [^<]*<\/failure>$/m,
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
    expect(out).not.toMatch(/[\0-\x08]/);
    const tags = [...out.matchAll(/<(\/?)([a-z]+)[^<>]*?(\/?)>/g)].filter(([, , , closed]) => closed !== '/');
    const depth = tags.reduce((sum, [, end]) => sum + (end === '/' ? -1 : 1), 0);
    expect(depth).toBe(0);
    expect(code).toBe(1);
  });

  test('writes the report to a file, and prints its last line alone', async () => {
    const { code, out } = await run(THINGS, '--format', 'junit', '--output', 'report.xml');
    expect(out).toBe('34 checks, 0 violations\n');
    expect(readFileSync(join(files, 'report.xml'), 'utf8')).toMatch(/^<\?xml/);
    expect(code).toBe(0);
  });

  test.each([
    ['a format that there is not', ['--format', 'html'], 2, /format/],
    [
      'an output that cannot be written',
      ['--output', 'no/such/folder.json'],
      1,
      /Failed to write the report to .*: .*--output/,
    ],
    ['a word too many', ['everything'], 2, /'check' cannot take 'everything'/],
  ] as const)('refuses %s', async (_, flags, code, message) => {
    const result = await run(THINGS, ...flags);
    expect(result.err).toMatch(message);
    expect(result.code).toBe(code);
  });
});

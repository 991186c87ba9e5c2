import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Session } from '../src/core/service/service.ts';
import { createMock, SetupError } from '../src/index.ts';
import { checkService } from '../src/mock/check/check.ts';
import { readStateFile } from '../src/mock/state-file/read-state.ts';
import { toStateText } from '../src/mock/state-file/write-state.ts';
import { json } from './support/adapters.ts';
import { documentOf } from './support/documents.ts';
import { openService } from './support/services.ts';
import './support/chance.ts';

const FOLDERS = ['documents', 'documents/real', '../examples', '../spec'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
);
const DOCUMENTS = FOLDERS.flatMap((directory) =>
  readdirSync(directory)
    .filter((file) => /(?<!\.config)\.(ya?ml|json)$/.test(file))
    .map((file) => join(directory, file)),
);
const ACCOUNTS = fileURLToPath(new URL('documents/accounts.yaml', import.meta.url));

let folder: string;
let state: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'state-documents-'));
  state = join(folder, 'state.json');
});

afterAll(() => rm(folder, { recursive: true }));

const toText = ({ service, store }: Pick<Session, 'service' | 'store'>) =>
  [...toStateText(service, store.snapshot())].join('');

const MOST_STATES = 25;

describe('Every state that a check leads to can be written and read', () => {
  test.each(DOCUMENTS)('with %s', async (spec) => {
    const { service, sessions, handler } = await openService({ spec, auth: false });
    const seen = new Set<number>();
    const expectBack = (session: Session) => {
      if (seen.has(session.store.version) || seen.size > MOST_STATES) return;
      seen.add(session.store.version);
      const text = toText(session);
      const store = readStateFile(service, 'state.json', Buffer.from(text));
      expect(toText({ service, store })).toBe(text);
    };
    await service.initial.ready();
    const answer: typeof handler.answer = async (...asked) => {
      const response = await handler.answer(...asked);
      sessions.all().forEach(expectBack);
      return response;
    };
    await checkService({ sessions, handler: { ...handler, answer } }, undefined);
    expect(seen.size).toBeGreaterThan(0);
  });
});

describe('A restart keeps', () => {
  test('users with their passwords, and tokens until they end', async () => {
    const anna = { email: 'anna@example.com', password: 'opensesame' };
    const options = { spec: ACCOUNTS, strictAuth: true, state: join(folder, 'accounts.json') };
    const logIn = { grant_type: 'password', username: anna.email, password: anna.password };
    const sent = () => ({ method: 'POST', body: new URLSearchParams(logIn) });
    const first = await createMock(options);
    await first.fetch('/auth/register', json('POST', anna));
    const tokens = async () =>
      ((await (await first.fetch('/auth/token', sent())).json()) as { accessToken: string }).accessToken;
    const [ended, valid] = [await tokens(), await tokens()];
    const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
    await first.fetch('/auth/logout', { method: 'POST', ...as(ended) });
    await first.close();
    const second = await createMock(options);
    const statusOf = async (...asked: Parameters<typeof second.fetch>) =>
      (await second.fetch(...asked)).status;
    expect(await statusOf('/users/me', as(valid))).toBe(200);
    expect(await statusOf('/users/me', as(ended))).toBe(401);
    expect(await statusOf('/auth/token', sent())).toBe(200);
    const wrong = { method: 'POST', body: new URLSearchParams({ ...logIn, password: 'wrong' }) };
    expect(await statusOf('/auth/token', wrong)).toBe(401);
    await second.close();
  });

  test('uploaded files', async () => {
    const binary = { 'image/*': { schema: { type: 'string', format: 'binary' } } };
    const spec = documentOf({
      '/photos/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { responses: { 200: { description: 'It.', content: binary } } },
        put: { requestBody: { content: binary }, responses: { 204: { description: 'Done.' } } },
      },
    });
    const bytes = Uint8Array.from({ length: 600 }, (_, index) => (index * 7) % 256);
    const first = await createMock({ spec, state });
    const upload = { method: 'PUT', headers: { 'Content-Type': 'image/png' }, body: bytes };
    expect((await first.fetch('/photos/1', upload)).status).toBe(204);
    await first.close();
    const second = await createMock({ spec, state });
    const found = await second.fetch('/photos/1');
    expect(found.headers.get('content-type')).toBe('image/png');
    expect(new Uint8Array(await found.arrayBuffer())).toEqual(bytes);
    await second.close();
  });

  test('what a reload has dropped, in a file beside', async () => {
    const file = join(folder, 'dropped.json');
    const mock = await createMock({ state: file });
    await mock.seed({ categories: [{ id: 1, name: 'Dragons' }] });
    const other = documentOf({ '/shops': { get: { responses: { 200: { description: 'All.' } } } } });
    expect(await mock.reload({ spec: other })).not.toEqual([]);
    await mock.close();
    expect(await readFile(file, 'utf8')).not.toContain('Dragons');
    expect(await readFile(`${file}.bak`, 'utf8')).toContain('Dragons');
  });
});

describe('Whatever a state file has', () => {
  const names = fc.constantFrom(
    'pets',
    'categories',
    'orders',
    'inventory',
    '$mock',
    '__proto__',
    'posts@users/1',
  );
  const members = fc.constantFrom(
    'id',
    'name',
    'categoryId',
    'counters',
    'others',
    'next',
    'retired',
    'pets',
    '/files',
    '__proto__',
  );
  const values = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.integer({ min: -1, max: 3 }),
      fc.constantFrom(
        1e300,
        2 ** 53,
        2 ** 52,
        -0,
        0.5,
        null,
        true,
        '',
        'constructor',
        '\ud800',
        'x'.repeat(500),
      ),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.array(fc.tuple(members, tie('value')), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs)),
    ),
  })).value;
  const texts = fc
    .array(fc.tuple(names, values), { maxLength: 4 })
    .map((pairs) => JSON.stringify(Object.fromEntries(pairs)));

  /** Begins with a text. The mock either says what is wrong, or answers and can write what it has read. */
  async function expectSound(service: Session['service'], bytes: Uint8Array): Promise<void> {
    let text: string;
    try {
      text = toText({ service, store: readStateFile(service, state, bytes) });
    } catch (error) {
      expect(error).toBeInstanceOf(SetupError);
      expect((error as SetupError).message).toContain(state);
      return;
    }
    expect(() => readStateFile(service, state, Buffer.from(text))).not.toThrow();
  }

  test('it fails in words or is read', async () => {
    const { service } = await openService({});
    await fc.assert(
      fc.asyncProperty(texts, (text) => expectSound(service, Buffer.from(text))),
      { numRuns: 500 },
    );
  });

  test('a file that was damaged anywhere fails in words or is read', async () => {
    const { service, sessions } = await openService({});
    const whole = Buffer.from(toText(sessions.use()));
    const damages = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), damages, async (end, bytes) => {
        const damaged = Buffer.from(whole);
        for (const [at, byte] of bytes) damaged[at] = byte;
        await expectSound(service, damaged);
        await expectSound(service, whole.subarray(0, end));
      }),
      { numRuns: 100 },
    );
  });

  test('counters near the end of the integers hang no request', async () => {
    const file = join(folder, 'far.json');
    await writeFile(file, `{ "$mock": { "counters": { "categories": { "next": ${2 ** 52} } } } }`);
    await using mock = await createMock({ state: file });
    for (const name of ['one', 'two'])
      expect((await mock.fetch('/categories', json('POST', { name }))).status).toBeLessThan(500);
  });
});

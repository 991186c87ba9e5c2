import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { type Ask, closeAll, describeAdapters, json } from './support/adapters.ts';
import { toAnswer, toDocument, toOperation } from './support/small-documents.ts';

const SPEC = fileURLToPath(new URL('./documents/chosen-keys.yaml', import.meta.url));

async function send(ask: Ask, method: string, path: string, body?: unknown) {
  const answer = await ask(path, body === undefined ? { method } : json(method, body));
  const text = await answer.text();
  const value: unknown = text === '' ? undefined : JSON.parse(text);
  return { answer, status: answer.status, value };
}

afterEach(closeAll);

describeAdapters('A PUT under a key of the client’s choice', ({ open }) => {
  test.each([
    ['/lockers', { number: 'a1' }, { owner: 'Ida' }, { owner: 'Ada', size: 3 }],
    ['/settings', { key: 'a1' }, { dark: true }, { dark: false }],
    ['/aliases', { alias: 'a1' }, { target: 'here' }, { target: 'there' }],
  ])('creates in %s, and replaces what it created', async (collection, key, first, second) => {
    const { ask } = await open({ spec: SPEC });
    const path = `${collection}/a1`;
    expect((await send(ask, 'GET', path)).status).toBe(404);
    const born = await send(ask, 'PUT', path, first);
    expect(born.answer.ok).toBe(true);
    expect(born.answer.headers.get('Location')).toBe(path);
    expect((await send(ask, 'GET', path)).value).toEqual({ ...key, ...first });
    expect((await send(ask, 'PUT', path, second)).answer.ok).toBe(true);
    expect((await send(ask, 'GET', path)).value).toEqual({ ...key, ...second });
    if (collection === '/lockers')
      expect((await send(ask, 'GET', collection)).value).toContainEqual({ ...key, ...second });
    expect((await send(ask, 'DELETE', path)).status).toBe(204);
    expect((await send(ask, 'GET', path)).status).toBe(404);
  });

  test('creates nothing where the document declares a 404 for it', async () => {
    const { ask } = await open({ spec: SPEC });
    expect((await send(ask, 'PUT', '/doors/a1', { colour: 'red' })).status).toBe(404);
  });

  test('is answered as the document says', async () => {
    const { mock } = await open({ spec: SPEC });
    expect((await mock.check()).violations).toEqual([]);
  });
});

describeAdapters('A key in the query that may be left out', ({ open }) => {
  test.each(['/notes', '/notes?id='])('is missed by name: %s', async (path) => {
    const { ask } = await open({ spec: SPEC });
    await send(ask, 'POST', '/notes', { text: 'First' });
    for (const method of ['PATCH', 'DELETE']) {
      const { status, value } = await send(ask, method, path, method === 'PATCH' ? {} : undefined);
      expect(status).toBe(method === 'PATCH' ? 400 : 422);
      expect(JSON.stringify(value)).toMatch(/id/);
      expect(JSON.stringify(value)).not.toMatch(/undefined/);
    }
    const list = (await send(ask, 'GET', path)).value as readonly Record<string, unknown>[];
    const { id } = list.find(({ text }) => text === 'First') ?? {};
    expect((await send(ask, 'PATCH', `/notes?id=${id}`, { text: 'Second' })).value).toMatchObject({
      text: 'Second',
    });
    expect((await send(ask, 'DELETE', `/notes?id=${id}`)).status).toBe(204);
    expect((await send(ask, 'DELETE', `/notes?id=${id}`)).status).toBe(404);
  });
});

describe('A path with a segment that stands for another path', () => {
  test.each(['/./{id}', '/things/../{id}', '/things/%2E/all', '/..'])(
    'is left out with its reason: %s',
    async (path) => {
      const paths = {
        [path]: { get: toOperation(toAnswer(204)) },
        '/fine': { get: toOperation(toAnswer(204)) },
      };
      const mock = await createMock({ spec: toDocument(paths) });
      const [note] = mock.document.notes;
      expect(note).toMatchObject({ code: 'path-invalid', effect: 'left out', what: path });
      expect(note?.reason).toContain(path);
      expect((await mock.fetch('/fine')).status).toBe(204);
      await expect(createMock({ spec: toDocument({ [path]: paths[path] }) })).rejects.toThrow(
        /clients resolve/,
      );
    },
  );
});

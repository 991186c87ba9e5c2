import { afterEach, describe, expect, test } from 'vitest';
import { createCircularDocument, createDocument, PROBED_PATH } from '../bench/documents.js';
import { type HttpOperation, loadDocument } from '../src/document/document.ts';
import { createMock } from '../src/index.ts';
import { createPrism } from '../src/mock/check/prism.ts';
import { buildOperationTable } from '../src/model/operations/operations.ts';
import { createSchemaChecker, createSchemaReader } from '../src/schema/schema.ts';
import { closeAll, describeInProcess } from './support/adapters.ts';
import { openService } from './support/services.ts';

const OPERATIONS = 2000;

afterEach(closeAll);

describeInProcess('A document of 2,000 operations', (adapter) => {
  test('is answered from its first path to its last', async () => {
    const { ask } = await adapter.open({ spec: createDocument(OPERATIONS), empty: true });
    for (const [path, status] of [
      ['/things-0/summary', 200],
      ['/things-200/summary', 200],
      ['/things-399/summary', 200],
      ['/things-399', 200],
      ['/things-399/7', 404],
      ['/things-400', 404],
    ] as const) {
      const response = await ask(path);
      expect(response.status, path).toBe(status);
      expect(response.headers.get('content-type')).toMatch(/json/);
    }
  });

  test('finds each of its operations', async () => {
    const { mock } = await adapter.open({ spec: createDocument(OPERATIONS), stateless: true });
    expect(mock.operations).toHaveLength(OPERATIONS);
    const { service } = await openService({ spec: createDocument(OPERATIONS), stateless: true });
    for (const { id, method, path } of mock.operations) {
      expect(service.table.match(method, path.replace('{id}', '1')).operation.id).toBe(id);
    }
  });
});

describe('What no request has touched', () => {
  test('is not read of an operation, but for what it is found by', async () => {
    const read: string[] = [];
    const toSource = (index: number): HttpOperation => ({
      method: 'get',
      path: `/things/${index}/{id}`,
      iid: `get${index}`,
      get request() {
        read.push(`request ${index}`);
        return {};
      },
      responses: [
        {
          code: '200',
          get contents() {
            read.push(`response ${index}`);
            return [];
          },
        },
      ],
    });
    const operations = Array.from({ length: OPERATIONS }, (_, index) => toSource(index));
    const document = { ...(await loadDocument(createDocument(1))), root: { operations, components: {} } };
    const { operation } = buildOperationTable(document).match('GET', '/things/1234/5');
    expect(operation.id).toBe('get1234');
    expect(read).toEqual([]);
    expect([operation.parameters.length, operation.responses.length]).toEqual([1, 1]);
    expect(operation.responses).toBe(operation.responses);
    expect(new Set(read)).toEqual(new Set(['request 1234', 'response 1234']));
  });

  test('is not compiled of the schemas that a value does not come to', () => {
    const read: string[] = [];
    const toSchema = (index: number) => ({
      key: `Thing${index}`,
      type: 'object',
      get properties() {
        read.push(`Thing${index}`);
        return { id: { type: 'integer' }, next: { $ref: `#/components/schemas/${(index + 1) % 1000}` } };
      },
    });
    const schemas = Array.from({ length: 1000 }, (_, index) => toSchema(index));
    const reader = createSchemaReader({ components: { schemas } });
    const checker = createSchemaChecker(reader, 'answer');
    const first = reader.read({ $ref: '#/components/schemas/0' });
    expect(checker.check(first, { id: 1 }, 'body')).toEqual([]);
    expect(new Set(read)).toEqual(new Set(['Thing0']));
    expect(checker.check(first, { next: { next: { id: 'x' } } }, 'body')).toEqual([
      { location: 'body.next.next.id', message: 'must be integer', code: 'type' },
    ]);
    expect(new Set(read)).toEqual(new Set(['Thing0', 'Thing1', 'Thing2']));
  });
});

describe('Schemas of megabytes that lead in circles', () => {
  const spec = createCircularDocument(1000);

  test('are as big as they are said to be', () => {
    expect(JSON.stringify(spec).length).toBeGreaterThan(1e6);
  });

  test('give answers of a bounded size that Prism finds no fault with', async () => {
    const { service, ask } = await openService({ spec, empty: true });
    const prism = await createPrism(service.document);
    const request = { method: 'GET', path: PROBED_PATH, query: '', headers: {} };
    const { response } = await ask(request);
    const { operation } = service.table.match('GET', PROBED_PATH);
    expect(response.status).toBe(200);
    expect(response.body?.length).toBeLessThan(100_000);
    expect(JSON.parse(String(response.body))).toHaveProperty('id');
    expect(await prism.judge(operation, request, response)).toEqual([]);
  });

  test('check what is posted, however deep it lies', async () => {
    const mock = await createMock({ spec, empty: true });
    const post = (body: object) =>
      mock.fetch('/things-0', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    const deep = { id: 1, next101: { id: 2, children: [{ id: 3, next7: { id: 'x' } }] } };
    const refused = await post(deep);
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('body.next101.children[0].next7.id');
    const accepted = await post({ ...deep, next101: { id: 2, children: [] } });
    expect(accepted.status).toBe(201);
  });
});

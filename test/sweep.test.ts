import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createMock, type Mock } from '../src/index.ts';
import { type Ask, closeAll, describeAdapters, describeInProcess, json } from './support/adapters.ts';
import { createJudge, type Judge } from './support/judge.ts';

const DOCUMENT = fileURLToPath(new URL('../spec/openapi.yaml', import.meta.url));
const DOCUMENTS = fileURLToPath(new URL('./documents/', import.meta.url));

type Reference = { readonly $ref: string };
type Examples = Readonly<Record<string, { readonly value?: unknown } | Reference>>;
type Content = Readonly<Record<string, { readonly examples?: Examples }>>;
type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly example?: unknown;
  readonly schema?: { readonly type?: string; readonly enum?: readonly unknown[] };
};
type RawOperation = {
  readonly operationId?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Content } | Reference;
  readonly responses: Readonly<Record<string, { readonly content?: Content } | Reference>>;
};
type PathItem = Readonly<Record<string, RawOperation>> & {
  readonly parameters?: readonly (Parameter | Reference)[];
};

/** What the sweep knows of an operation: only what the document says, read without the code under test. */
interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** The path with its parameters' examples. */
  readonly url: string;
  /** The first example of its body. */
  readonly body: unknown;
  /** Each declared response: `200`, `4XX`, `default`, with the names of its examples. */
  readonly responses: readonly { readonly code: string; readonly examples: readonly string[] }[];
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

function readOperations(file: string): Operation[] {
  const document: { readonly paths: Readonly<Record<string, PathItem>> } = parse(readFileSync(file, 'utf8'));
  const resolve = <T extends object>(node: T | Reference): T => {
    if (!('$ref' in node)) return node;
    const steps = node.$ref
      .slice(2)
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    return resolve(steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document) as T);
  };
  const namesOf = ({ content = {} }: { readonly content?: Content }) =>
    Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples));
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (!operation) return [];
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(
        resolve<Parameter>,
      );
      const [media] = Object.values(operation.requestBody ? resolve(operation.requestBody).content : {});
      const [example] = Object.values(media?.examples ?? {});
      return {
        id: operation.operationId ?? `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        url: path.replace(/\{([^{}]+)\}/g, (_, name) =>
          toSegment(parameters.find((each) => each.name === name)),
        ),
        body: example && resolve(example).value,
        responses: Object.entries(operation.responses).map(([code, response]) => ({
          code,
          examples: namesOf(resolve(response)),
        })),
      };
    }),
  );
}

function toSegment({ example, schema }: Parameter = { name: '', in: 'path' }): string {
  const value = example ?? schema?.enum?.[0] ?? (schema?.type === 'string' ? 'a' : 1);
  return encodeURIComponent(String(value));
}

/** Statuses that stand for a declared response. */
function toStatuses(code: string): number[] {
  if (code === 'default') return [500, 503];
  return [Number(code.replace(/xx$/i, '00'))];
}

const operations = readOperations(DOCUMENT);
const judging = createJudge(DOCUMENT);

/** Where the example of the document would be refused by the entities that the store starts with. */
const URLS: Readonly<Record<string, string>> = { deleteCategory: '/categories/8', deletePet: '/pets/1' };

/** What a client sends when everything is right. */
function toRequest({ id, method, url, body }: Operation): [path: string, init: RequestInit] {
  return [URLS[id] ?? url, body === undefined ? { method } : json(method, body)];
}

/** For each operation that can be in conflict with the state: a request that is. */
const CONFLICTS: Readonly<Record<string, [path: string, init: RequestInit]>> = {
  replacePet: ['/pets/9', json('PUT', { name: 'Pepper', categoryId: 2, status: 'available' })],
  updatePet: ['/pets/9', json('PATCH', { status: 'available' })],
  deletePet: ['/pets/26', { method: 'DELETE' }],
  deleteCategory: ['/categories/1', { method: 'DELETE' }],
  placeOrder: ['/store/orders', json('POST', { petId: 3, quantity: 2 })],
  updateOrder: ['/store/orders/1', json('PATCH', { complete: false })],
  cancelOrder: ['/store/orders/1', { method: 'DELETE' }],
};

const BAD_QUERIES: Readonly<Record<string, string>> = {
  listPets: '?status=lost&limit=0',
  listOrders: '?complete=perhaps',
  listInventory: '?status=lost',
};

/** A request that an operation answers with this status, for every status but the ones of `default`. */
function provoke(operation: Operation, status: number): [path: string, init: RequestInit] {
  const { id, method, path } = operation;
  const [url, init] = toRequest(operation);
  if (status < 300) return [url, init];
  if (status === 400) {
    if (path.includes('{')) return [path.replace(/\{\w+\}/, '1e3'), init];
    return BAD_QUERIES[id] === undefined ? [url, { ...init, body: '{' }] : [url + BAD_QUERIES[id], init];
  }
  if (status === 404) return [path.replace(/\{\w+\}/, '4711'), init];
  if (status === 406) return [url, { ...init, headers: { ...init.headers, Accept: 'application/xml' } }];
  if (status === 413) return [url, json(method, 'a'.repeat(1024 * 1024))];
  if (status === 415) return [url, { ...init, headers: { 'Content-Type': 'text/plain' } }];
  if (status === 422) return [url, json(method, [])];
  const conflict = CONFLICTS[id];
  if (status === 409 && conflict) return conflict;
  throw new Error(`Nothing is known that makes ${id} answer ${status}`);
}

const declared = operations.flatMap((operation) =>
  operation.responses.map(({ code, examples }) => ({ operation, id: operation.id, code, examples })),
);
const provoked = declared
  .filter(({ code }) => code !== 'default')
  .map(({ operation, id, code }) => ({ operation, id, status: Number(code) }));
const preferred = declared.flatMap(({ operation, id, code, examples }) =>
  toStatuses(code).flatMap((status) =>
    [undefined, ...examples].map((example) => ({
      operation,
      id,
      status,
      prefer: example === undefined ? `code=${status}` : `code=${status}, example=${example}`,
      example,
    })),
  ),
);
const failures = operations.map((operation) => ({
  operation,
  id: operation.id,
  statuses: operation.responses.flatMap(({ code }) => toStatuses(code)).filter((status) => status >= 400),
}));

test('The document has 21 operations with 123 declared responses', () => {
  expect(operations.length).toBe(21);
  expect(declared.length).toBe(123);
});

describeAdapters('Every answer holds to the document', ({ open }) => {
  let ask: Ask;
  let mock: Mock;

  beforeAll(async () => {
    ({ ask, mock } = await open());
  });
  beforeEach(() => mock.reset());
  afterAll(closeAll);

  test.each(provoked)('$id, asked so that it answers $status', async ({ operation, status }) => {
    const [path, init] = provoke(operation, status);
    const response = await ask(path, init);
    expect(response.status).toBe(status);
    expect(await (await judging)(operation, response)).toEqual([]);
  });

  test.each(preferred)('$id, with Prefer: $prefer', async ({ operation, status, prefer, example }) => {
    const [path, init] = toRequest(operation);
    const response = await ask(path, { ...init, headers: { ...init.headers, Prefer: prefer } });
    expect(response.status).toBe(status);
    if (status >= 300 || example !== undefined)
      expect(response.headers.get('Preference-Applied')).toBe(prefer);
    expect(await (await judging)(operation, response)).toEqual([]);
  });
});

describeInProcess('Every error that a rule asks for holds to the document', ({ open }) => {
  let ask: Ask;
  let mock: Mock;

  beforeAll(async () => {
    const errors = failures.flatMap(({ id, statuses }) =>
      statuses.map((status) => ({ operation: id, status, code: 'asked_for', times: 1 })),
    );
    ({ ask, mock } = await open({ errors }));
  });
  beforeEach(() => mock.reset());
  afterAll(closeAll);

  test.each(failures)('$id: $statuses', async ({ operation, statuses }) => {
    const [path, init] = toRequest(operation);
    for (const status of statuses) {
      const response = await ask(path, init);
      expect(await response.clone().json()).toMatchObject({ code: 'asked_for', status });
      expect(response.status).toBe(status);
      expect(await (await judging)(operation, response)).toEqual([]);
    }
    expect((await ask(path, init)).status).toBeLessThan(300);
  });
});

describe('The judge', () => {
  const pet = { id: 1, name: 'Biscuit', categoryId: 1, status: 'available' };
  const type = { 'Content-Type': 'application/json' };
  const getPet = operations.find(({ id }) => id === 'getPet');
  const listPets = operations.find(({ id }) => id === 'listPets');

  test('finds nothing in an answer that is right', async () => {
    const response = new Response(JSON.stringify(pet), { headers: type });
    expect(await (await judging)(getPet as Operation, response)).toEqual([]);
  });

  const broken: [what: string, operation: Operation | undefined, response: Response, finding: RegExp][] = [
    ['a property is missing', getPet, new Response('{"id":1,"categoryId":1}', { headers: type }), /'name'/],
    [
      'a type is wrong',
      getPet,
      new Response(JSON.stringify({ ...pet, id: '1' }), { headers: type }),
      /id.*integer/,
    ],
    [
      'a word is not in the enum',
      getPet,
      new Response(JSON.stringify({ ...pet, status: 'lost' }), { headers: type }),
      /status/,
    ],
    [
      'the media type is another',
      getPet,
      new Response('<pet/>', { headers: { 'Content-Type': 'text/xml' } }),
      /media type/,
    ],
    [
      'an error says too little',
      getPet,
      new Response('{"code":"pet_not_found","message":"None."}', { status: 404, headers: type }),
      /'status'/,
    ],
    [
      'a header has another type',
      listPets,
      new Response('[]', { headers: { ...type, 'X-Total-Count': 'many' } }),
      /x-total-count.*integer/i,
    ],
  ];

  test.each(broken)('finds out that %s', async (_, operation, response, finding) => {
    const findings = await (await judging)(operation as Operation, response);
    expect(findings.join('\n')).toMatch(finding);
  });

  const withContent = declared.filter(({ examples }) => examples.length > 0);

  test.each(withContent)('knows what $id must answer as $code', async ({ operation, code }) => {
    for (const status of toStatuses(code)) {
      const response = new Response('"broken"', { status, headers: type });
      expect(await (await judging)(operation, response)).not.toEqual([]);
    }
  });
});

const documents = readdirSync(DOCUMENTS, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(ya?ml|json)$/.test(file))
  .filter((file) => /^\s*["']?(openapi|swagger)["']?:/m.test(readFileSync(DOCUMENTS + file, 'utf8')))
  .sort();

test('There are at least ten documents beside the own one', () => {
  expect(documents.length).toBeGreaterThanOrEqual(10);
});

describe.each(documents)('The document %s', (file) => {
  const spec = DOCUMENTS + file;

  test('is held to by everything that `check` asks for', async () => {
    const { checks, violations } = await (await createMock({ spec })).check();
    const found = violations.map(({ operation, name, message }) => `${operation}: ${name}: ${message}`);
    expect(found).toEqual([]);
    expect(checks).toBeGreaterThan(0);
  });

  describeAdapters('is held to by every answer, as a judge of its own reads it', ({ open }) => {
    afterAll(closeAll);

    test('in every declared status and media type', async () => {
      const { ask } = await open({ spec });
      const judge = await createJudge(spec);
      const questions = await readQuestions(spec);
      const found: string[] = [];
      for (const question of questions) {
        const { id, method, url, status, mediaType } = question;
        const headers = { Prefer: `code=${status}`, ...(mediaType !== undefined && { Accept: mediaType }) };
        const response = await ask(url, { method, headers, redirect: 'manual' });
        const findings = [
          ...findWrongStatus(question, response),
          ...(await judgeDeclared(judge, question, response)),
        ];
        const name = `${id}: ${status}${mediaType === undefined ? '' : ` as ${mediaType}`}`;
        found.push(...findings.map((finding) => `${name}: ${finding}`));
      }
      expect(found).toEqual([]);
      expect(questions).not.toEqual([]);
    });
  });
});

/** What state answers, it may also refuse; everything else is as it was asked for. */
function findWrongStatus({ status, codes }: DeclaredAnswer, response: Response): string[] {
  const forced = response.headers.has('Preference-Applied');
  const refused = !forced && status < 300 && response.status >= 400 && response.status < 500;
  if (response.status !== status && !refused) return [`answered ${response.status}`];
  return isDeclared(codes, response.status) || refused ? [] : [`${response.status} is not declared`];
}

async function judgeDeclared(judge: Judge, question: DeclaredAnswer, response: Response): Promise<string[]> {
  return isDeclared(question.codes, response.status) ? judge(question, response) : [];
}

/** One declared answer of an operation, as Prism reads the document. */
interface DeclaredAnswer {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly url: string;
  readonly status: number;
  readonly mediaType: string | undefined;
  /** All codes that the operation declares. */
  readonly codes: readonly string[];
}

async function readQuestions(file: string): Promise<DeclaredAnswer[]> {
  const resources = await getHttpOperationsFromSpec(file);
  // No request has these in its path.
  const reachable = resources.filter(({ path }) => !/[?#]/.test(path));
  return reachable.flatMap(({ iid, method, path, request, responses }) => {
    const codes = responses.map(({ code }) => code);
    const upper = method.toUpperCase();
    const operation = {
      id: iid ?? `${upper} ${path}`,
      method: upper,
      path,
      url: path.replace(/\{([^{}]+)\}/g, (_, name) =>
        toSegment(request?.path?.find((parameter) => parameter.name === name) as Parameter | undefined),
      ),
      codes,
    };
    return responses.flatMap(({ code, contents = [] }) => {
      const mediaTypes = contents.length === 0 ? [undefined] : contents.map(({ mediaType }) => mediaType);
      const statuses = toStatuses(code).filter((status) => isAskable(status, code, codes));
      return statuses.flatMap((status) =>
        mediaTypes.map((mediaType) => ({ ...operation, status, mediaType })),
      );
    });
  });
}

/** 1XX is no answer, 407 is none that `fetch` shows, and a range or default response says nothing of a status with its own. */
function isAskable(status: number, code: string, codes: readonly string[]): boolean {
  return status >= 200 && status !== 407 && (code === String(status) || !codes.includes(String(status)));
}

function isDeclared(codes: readonly string[], status: number): boolean {
  const matching = [String(status), `${Math.floor(status / 100)}XX`, 'DEFAULT'];
  return codes.some((code) => matching.includes(code.toUpperCase()));
}

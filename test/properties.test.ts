import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMock, type Mock } from '../src/index.ts';

type Status = 'available' | 'pending' | 'sold';
type Pet = { readonly id: number; readonly categoryId: number; readonly status: Status };
type Category = { readonly id: number };
type Order = {
  readonly id: number;
  readonly petId: number;
  readonly quantity: number;
  readonly complete: boolean;
};
type Item = { readonly petId: number; readonly quantity: number; readonly status: Status };

/** The whole store, as the API shows it. */
interface State {
  readonly pets: readonly Pet[];
  readonly categories: readonly Category[];
  readonly orders: readonly Order[];
  readonly inventory: readonly Item[];
  readonly summary: Readonly<Record<Status, number>>;
}

/** One request; `body` is what is sent, as it is. */
interface Command {
  readonly method: string;
  readonly path: string;
  readonly body?: string | undefined;
}

interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: unknown;
}

const RUNS = 100;
const STATUSES: readonly Status[] = ['available', 'pending', 'sold'];

/** A store so small that random commands meet each other. */
const FIXTURES = {
  categories: [1, 2, 3].map((id) => ({ id, name: `Category ${id}` })),
  pets: [
    { id: 1, name: 'Ada', categoryId: 1, status: 'available' },
    { id: 2, name: 'Bo', categoryId: 1, status: 'pending' },
    { id: 3, name: 'Cy', categoryId: 2, status: 'sold' },
    { id: 4, name: 'Di', categoryId: 2, status: 'available' },
  ],
  inventory: [
    { petId: 1, quantity: 1, status: 'available' },
    { petId: 2, quantity: 0, status: 'pending' },
    { petId: 3, quantity: 0, status: 'sold' },
    { petId: 4, quantity: 5, status: 'available' },
  ],
  orders: [
    { id: 1, petId: 3, quantity: 1, complete: true },
    { id: 2, petId: 2, quantity: 2, complete: false },
    { id: 3, petId: 4, quantity: 1, complete: false },
    { id: 4, petId: 4, quantity: 1, complete: true },
  ],
};

let directory: string;
let first: Mock;
let second: Mock;
let untouched: Mock;
let start: State;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'petstore-mock-'));
  for (const [name, entities] of Object.entries(FIXTURES)) {
    await writeFile(join(directory, `${name}.json`), JSON.stringify(entities));
  }
  first = await createMock({ fixtures: directory });
  second = await createMock({ fixtures: directory });
  untouched = await createMock({ fixtures: directory });
  start = await readState(untouched);
});

afterAll(() => rm(directory, { recursive: true }));

describe('any sequence of commands', () => {
  test('leaves a store that holds to the rules, after each of them', async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(commands(), async (sequence) => {
        first.reset();
        const stock = new Map(start.inventory.map(({ petId, quantity }) => [petId, quantity]));
        let before = start;
        let text = JSON.stringify(start);
        for (const command of sequence) {
          const answer = await run(first, command);
          const textAfter = await readText(first);
          checkAnswer(answer);
          if (answer.status >= 400) expect(textAfter).toBe(text);
          else {
            follow(stock, command, answer, before);
            before = JSON.parse(textAfter) as State;
            checkRules(before, stock);
            text = textAfter;
          }
          const kind = `${command.method} ${command.path.replace(/[^/]+$/, '')} ${answer.status}`;
          seen.set(kind, (seen.get(kind) ?? 0) + 1);
        }
      }),
      { numRuns: RUNS },
    );
    // The sequences are worth something only if they get through: every kind of change did happen.
    for (const kind of [
      ...['POST / 201', 'PUT /pets/ 200', 'PATCH /pets/ 200', 'DELETE /pets/ 204', 'DELETE /pets/ 409'],
      ...['PUT /categories/ 200', 'DELETE /categories/ 204', 'DELETE /categories/ 409', 'POST /store/ 201'],
      ...['POST /store/ 409', 'PATCH /store/orders/ 200', 'PATCH /store/orders/ 409', 'POST /store/ 422'],
      ...['DELETE /store/orders/ 204', 'DELETE /store/orders/ 409', 'PUT /store/inventory/ 200'],
    ]) {
      expect([kind, (seen.get(kind) ?? 0) > 0]).toEqual([kind, true]);
    }
  });

  test('has the same answers from two mocks, which share nothing with a third', async () => {
    await fc.assert(
      fc.asyncProperty(commands(), async (sequence) => {
        first.reset();
        second.reset();
        for (const command of sequence) {
          expect(await run(second, command)).toEqual(await run(first, command));
        }
        expect(await readState(second)).toEqual(await readState(first));
      }),
      { numRuns: RUNS },
    );
    expect(await readState(untouched)).toEqual(start);
  });

  test('is undone by reset, which counts the ids from the start again', async () => {
    await fc.assert(
      fc.asyncProperty(commands(), async (sequence) => {
        first.reset();
        expect(await readState(first)).toEqual(start);
        const answers = await runAll(first, sequence);
        first.reset();
        expect(await readState(first)).toEqual(start);
        expect(await runAll(first, sequence)).toEqual(answers);
      }),
      { numRuns: RUNS },
    );
  });

  test('gives a new entity an id that none had before', async () => {
    await fc.assert(
      fc.asyncProperty(commands(), async (sequence) => {
        first.reset();
        const given = new Map<string, number>([
          ['/pets', 4],
          ['/categories', 3],
          ['/store/orders', 4],
        ]);
        for (const command of sequence) {
          const { status, body } = await run(first, command);
          if (status !== 201) continue;
          const next = (given.get(command.path) ?? 0) + 1;
          expect([command.path, (body as { id: number }).id]).toEqual([command.path, next]);
          given.set(command.path, next);
        }
      }),
      { numRuns: RUNS },
    );
  });
});

/** What holds of every answer. */
function checkAnswer({ status, headers, body }: Answer): void {
  expect(status).toBeLessThan(500);
  if (status < 400) return;
  expect(new Map(headers).get('content-type')).toBe('application/json');
  expect(body).toStrictEqual({
    code: expect.stringMatching(/^[a-z]+(_[a-z]+)*$/),
    message: expect.stringMatching(/\S/),
    status,
  });
}

/** Keeps account of the stock: orders take it, cancelled ones give it back, completed ones keep what they took. */
function follow(stock: Map<number, number>, { method, path }: Command, answer: Answer, before: State): void {
  const add = (petId: number, quantity: number) =>
    stock.set(petId, (stock.get(petId) ?? Number.NaN) + quantity);
  const [, resource = '', id] = /^((?:\/store)?\/[a-z]+)(?:\/(.+))?$/.exec(path) ?? [];
  const former = before.orders.find((order) => String(order.id) === id);
  switch (`${method} ${resource}`) {
    case 'POST /pets': {
      const pet = answer.body as Pet;
      stock.set(pet.id, pet.status === 'available' ? 1 : 0);
      break;
    }
    case 'DELETE /pets':
      stock.delete(Number(id));
      break;
    case 'POST /store/orders': {
      const order = answer.body as Order;
      add(order.petId, -order.quantity);
      break;
    }
    case 'PATCH /store/orders': {
      const more = (answer.body as Order).quantity - (former as Order).quantity;
      // The pet of a completed order may be gone; then there is nothing to keep account of.
      if (more !== 0) add((former as Order).petId, -more);
      break;
    }
    case 'DELETE /store/orders':
      add((former as Order).petId, (former as Order).quantity);
      break;
    case 'PUT /store/inventory':
      stock.set(Number(id), (answer.body as Item).quantity);
      break;
  }
}

/** What holds of every state. */
function checkRules(state: State, stock: ReadonlyMap<number, number>): void {
  const { pets, categories, orders, inventory, summary } = state;
  const byId = new Map(pets.map((pet) => [pet.id, pet]));
  const kinds = new Set(categories.map(({ id }) => id));
  expect(inventory.map(({ petId }) => petId)).toEqual(pets.map(({ id }) => id));
  expect(new Map(inventory.map(({ petId, quantity }) => [petId, quantity]))).toEqual(stock);
  expect(inventory.filter(({ petId, status }) => status !== byId.get(petId)?.status)).toEqual([]);
  expect(inventory.filter(({ quantity, status }) => !(quantity >= (status === 'available' ? 1 : 0)))).toEqual(
    [],
  );
  expect(pets.filter(({ categoryId }) => !kinds.has(categoryId))).toEqual([]);
  expect(orders.filter(({ complete, petId }) => !complete && !byId.has(petId))).toEqual([]);
  expect(orders.filter(({ quantity }) => !(quantity >= 1))).toEqual([]);
  const counts = STATUSES.map((status) => [status, pets.filter((pet) => pet.status === status).length]);
  expect(summary).toEqual(Object.fromEntries(counts));
  for (const entities of [pets, categories, orders]) {
    const ids = entities.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  }
}

/** Up to 40 commands, most of them sensible, some of them not. */
function commands(): fc.Arbitrary<Command[]> {
  const id = fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 1, max: 6 }).map(String) },
    { weight: 1, arbitrary: fc.constantFrom('0', '-1', '007', '1e0', '9007199254740993', '%20', 'x', '%ZZ') },
  );
  const nonsense = fc.oneof(
    fc.constantFrom(null, '1', 0.5, -1, 0, true, [], {}, '', 'available', 2 ** 53),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const or = (sensible: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 12, arbitrary: sensible }, { weight: 1, arbitrary: nonsense });
  const known = or(fc.integer({ min: 1, max: 6 }));
  const status = or(fc.constantFrom(...STATUSES));
  const name = or(fc.string({ maxLength: 5 }));
  const amount = or(fc.integer({ min: 0, max: 4 }));
  const complete = or(fc.boolean());
  const shipDate = or(fc.constant('2026-10-02T09:00:00Z'));
  const extra = fc.constantFrom('tag', '__proto__', 'constructor', 'quantity', 'petId', 'status');
  const body = (sensible: Record<string, fc.Arbitrary<unknown>>, required: readonly string[]) => {
    const object = fc.record(sensible, { requiredKeys: [...required] });
    const strange = fc
      .tuple(object, extra, nonsense)
      .map(([members, key, value]) => Object.fromEntries([...Object.entries(members), [key, value]]));
    return fc.oneof(
      { weight: 16, arbitrary: object.map((value) => JSON.stringify(value)) },
      { weight: 3, arbitrary: strange.map((value) => JSON.stringify(value)) },
      { weight: 1, arbitrary: nonsense.map((value) => JSON.stringify(value)) },
      { weight: 1, arbitrary: fc.constantFrom('', '{', '[', 'null', '{"a":1e999}') },
    );
  };
  const command = (method: string, at: fc.Arbitrary<string>, sent: fc.Arbitrary<string | undefined>) =>
    fc.record({ method: fc.constant(method), path: at, body: sent });
  const below = (path: string) => id.map((value) => `${path}/${value}`);
  const none = fc.constant(undefined);
  const pet = { name, categoryId: known, status };
  const order = { petId: known, quantity: amount, shipDate, complete };
  /** The id in a body: mostly not there, else mostly that of another. */
  const own = or(fc.constantFrom(1, 2));
  return fc.array(
    fc.oneof(
      command('POST', fc.constant('/pets'), body(pet, ['name', 'categoryId'])),
      command('PUT', below('/pets'), body(pet, ['name', 'categoryId'])),
      command('PUT', below('/pets'), body({ ...pet, id: own }, ['name', 'categoryId'])),
      command('PATCH', below('/pets'), body({ ...pet, id: own }, [])),
      command('PATCH', below('/pets'), body({ status: fc.option(status) }, ['status'])),
      command('DELETE', below('/pets'), none),
      command('POST', fc.constant('/categories'), body({ name, description: name }, ['name'])),
      command('PUT', below('/categories'), body({ name, id: own }, ['name'])),
      command('DELETE', below('/categories'), none),
      command('POST', fc.constant('/store/orders'), body(order, ['petId'])),
      command('POST', fc.constant('/store/orders'), body(order, ['petId'])),
      command(
        'PATCH',
        below('/store/orders'),
        body({ quantity: amount, shipDate, complete, petId: own }, []),
      ),
      command('PATCH', below('/store/orders'), body({ complete }, ['complete'])),
      command('DELETE', below('/store/orders'), none),
      command('PUT', below('/store/inventory'), body({ quantity: amount, petId: own, status }, ['quantity'])),
      command('PUT', below('/store/inventory'), body({ quantity: amount }, ['quantity'])),
      command(
        'GET',
        id.map((value) => `/pets/${value}/profile`),
        none,
      ),
    ),
    { minLength: 1, maxLength: 40, size: 'max' },
  );
}

async function run(mock: Mock, { method, path, body }: Command): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await mock.fetch(path, { method, ...(body !== undefined && { body, headers }) });
  const text = await response.text();
  return {
    status: response.status,
    headers: [...response.headers],
    body: text === '' ? undefined : JSON.parse(text),
  };
}

async function runAll(mock: Mock, sequence: readonly Command[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const command of sequence) answers.push(await run(mock, command));
  return answers;
}

async function readState(mock: Mock): Promise<State> {
  return JSON.parse(await readText(mock));
}

/** The state as JSON: where nothing has changed, the text is the same. */
async function readText(mock: Mock): Promise<string> {
  const read = async (name: keyof State, path: string) => {
    const response = await mock.fetch(path);
    const text = await response.text();
    if (response.status !== 200) expect([path, response.status, text]).toEqual([path, 200, text]);
    return `"${name}":${text}`;
  };
  const members = [
    await read('pets', '/pets'),
    await read('categories', '/categories'),
    await read('orders', '/store/orders'),
    await read('inventory', '/store/inventory'),
    await read('summary', '/store/inventory/summary'),
  ];
  return `{${members.join(',')}}`;
}

import { request as requestHttp } from 'node:http';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { buildService } from '../src/core/service/service.ts';
import { connect } from '../src/mock/connect.ts';
import { petstoreRules } from '../src/petstore/petstore.ts';
import { EntityCount } from '../src/state/store/store.ts';
import { createServers } from '../src/wire/server/server.ts';
import { INTEGER, inPath, TEXT, toCrud, toDocument, toObject } from './support/small-documents.ts';

const THING = toObject({ id: INTEGER, name: TEXT }, 'id');
const SPEC = toDocument(toCrud('/things', inPath('id'), THING, { input: toObject({ name: TEXT }) }));
const OPTIONS = { spec: SPEC, empty: true, maxSessions: 3, memory: 64 };
const DELAY = 1000;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

type Send = (method: string, path: string, headers: Record<string, string>, body?: object) => Promise<Answer>;

/** A world as `createMock` builds it, with its parts in view. */
async function open(isSocket: boolean) {
  const { sessions, boundary } = await connect(OPTIONS);
  const servers = createServers({ ...boundary, bodyLimit: 2 ** 20 });
  const url = isSocket ? (await servers.listen()).url : 'http://localhost';
  const send: Send = isSocket
    ? (...asked) => sendOver(url, ...asked)
    : async (method, path, headers, body) => {
        const request = {
          ...{ method, path, query: '' },
          headers: { host: 'localhost', 'content-type': 'application/json', ...headers },
          ...(body && { body: Buffer.from(JSON.stringify(body)) }),
        };
        const response = await boundary.respond(request, url + path);
        return toAnswer(response.status, await response.text());
      };
  return { sessions, servers, send };
}

/** Not by `fetch`, whose timers are those of the test. */
function sendOver(url: string, ...[method, path, headers, body]: Parameters<Send>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = body ? JSON.stringify(body) : undefined;
    const extra: Record<string, string> = sent
      ? { 'Content-Type': 'application/json', 'Content-Length': String(sent.length) }
      : {};
    const request = requestHttp(url + path, { method, headers: { ...headers, ...extra } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      response.on('end', () => resolve(toAnswer(response.statusCode ?? 0, text)));
    });
    request.on('error', reject);
    request.end(sent);
  });
}

function toAnswer(status: number, text: string): Answer {
  return { status, body: text === '' ? undefined : JSON.parse(text) };
}

type World = Awaited<ReturnType<typeof open>>;

interface Thing {
  readonly id: number;
  readonly name: string;
}

/** The state of one session in plain data. */
interface ModelSession {
  things: ReadonlyMap<number, Thing>;
  next: number;
  readonly snapshots: Map<string, { readonly things: ReadonlyMap<number, Thing>; readonly next: number }>;
}

/** What a delayed request does once its time has come, and how its answer is checked. */
interface Waiting {
  readonly session: ModelSession;
  readonly name: string;
  readonly version: number;
  readonly act: (session: ModelSession) => Answer;
  readonly answered: Promise<Answer>;
}

/** The sessions as plain data, the least recently used one first, and what waits in them. */
class Model {
  readonly sessions = new Map<string, ModelSession>();
  readonly lost = new Set<string>();
  readonly checks: Promise<void>[] = [];
  /** The number of reloads. */
  version = 0;
  waiting: Waiting[] = [];

  /** The session with a name, or `undefined` where the client learns that it was evicted. */
  use(name: string): ModelSession | undefined {
    const known = this.sessions.get(name);
    if (!known && this.lost.delete(name)) return undefined;
    if (!known && this.sessions.size >= OPTIONS.maxSessions) {
      const [oldest] = this.sessions.keys();
      this.end(String(oldest));
      this.lost.add(String(oldest));
    }
    const session = known ?? { things: new Map(), next: 1, snapshots: new Map() };
    this.sessions.delete(name);
    this.sessions.set(name, session);
    return session;
  }

  /** Ends a session: what waits in it is not carried out. */
  end(name: string): void {
    const session = this.sessions.get(name);
    this.sessions.delete(name);
    for (const each of this.waiting.filter((other) => other.session === session))
      this.check(each.answered, (answer) => expect(answer).toMatchObject(ENDED));
    this.waiting = this.waiting.filter((other) => other.session !== session);
  }

  check(answered: Promise<Answer>, check: (answer: Answer) => void): void {
    this.checks.push(answered.then(check));
  }
}

const ENDED = { status: 410, body: { code: 'session_ended' } };
const LOST = { status: 410, body: { code: 'session_lost' } };

/** What requests do to a session. */
const ACTS: Readonly<Record<string, (id: number, name: string) => (session: ModelSession) => Answer>> = {
  POST: (_, name) => (session) => {
    const thing = { id: session.next, name };
    session.things = new Map([...session.things, [thing.id, thing]]);
    session.next += 1;
    return { status: 201, body: thing };
  },
  GET: (id) => (session) => {
    const thing = session.things.get(id);
    return thing ? { status: 200, body: thing } : NOT_FOUND;
  },
  PATCH: (id, name) => (session) => {
    if (!session.things.has(id)) return NOT_FOUND;
    session.things = new Map(session.things).set(id, { id, name });
    return { status: 200, body: { id, name } };
  },
  DELETE: (id) => (session) => {
    if (!session.things.has(id)) return NOT_FOUND;
    session.things = new Map([...session.things].filter(([key]) => key !== id));
    return { status: 204, body: undefined };
  },
};

const NOT_FOUND = { status: 404, body: { code: 'thing_not_found' } };

interface Command {
  readonly kind: string;
  readonly session: string;
  readonly id: number;
  readonly name: string;
  readonly isDelayed: boolean;
}

type Run = (world: World, model: Model, command: Command) => Promise<void>;

const commands = fc.array(
  fc.record<Command>({
    kind: fc.constantFrom(
      ...['request POST', 'request POST', 'request GET', 'request PATCH', 'request DELETE'],
      ...['end', 'reset', 'snapshot', 'restore', 'reload', 'clock', 'advance', 'advance', 'begin'],
    ),
    session: fc.constantFrom('a', 'b', 'c', 'd'),
    id: fc.integer({ min: 1, max: 4 }),
    name: fc.constantFrom('one', 'two', 'x'.repeat(2000)),
    isDelayed: fc.boolean(),
  }),
  { minLength: 5, maxLength: 40 },
);

const RUNS: Readonly<Record<string, Run>> = {
  async end({ send }, model, { session }) {
    const { status } = await send('DELETE', `/__mock/sessions/${session}`, {});
    expect(status).toBe(model.sessions.has(session) ? 204 : 404);
    if (model.sessions.has(session)) model.end(session);
  },
  reset: control('POST', '/__mock/reset', (session) => {
    session.things = new Map();
    session.next = 1;
  }),
  snapshot: control('POST', '/__mock/snapshots', ({ things, next, snapshots }) => {
    snapshots.set('saved', { things, next });
  }),
  restore: control('POST', '/__mock/snapshots/saved/restore', (session) => {
    Object.assign(session, session.snapshots.get('saved') ?? {});
  }),
  clock: control('POST', '/__mock/clock', () => {}, { advance: 'PT1H' }),
  async reload({ sessions }, model) {
    await sessions.service.initial.ready();
    const service = await buildService(OPTIONS, petstoreRules);
    await service.initial.ready();
    sessions.swap(service);
    model.version += 1;
  },
  /** Lets the delayed requests of all sessions go on, in the order in which they came. */
  async advance(_, model) {
    const due = model.waiting;
    model.waiting = [];
    for (const { session, name, version, act, answered } of due) {
      // After a reload, a request uses its session again.
      if (version !== model.version) model.use(name);
      model.check(answered, expectAnswer(act(session)));
    }
    await vi.advanceTimersByTimeAsync(DELAY);
    await Promise.all(model.checks);
  },
  async begin({ send }, model, { session }) {
    const { status } = await send('POST', '/__mock/sessions', {}, { name: session });
    expect(status).toBe(model.sessions.has(session) ? 409 : 201);
    if (model.sessions.has(session)) return;
    model.lost.delete(session);
    model.use(session);
  },
};

/** A call of the control API in a session. */
function control(
  method: string,
  path: string,
  act: (session: ModelSession) => void,
  body: object = { name: 'saved' },
): Run {
  return async ({ send }, model, { session: name }) => {
    const session = model.use(name);
    const answer = await send(
      method,
      path,
      { 'x-mock-session': name },
      path.endsWith('e') ? undefined : body,
    );
    if (session) act(session);
    else expect(answer).toMatchObject(LOST);
  };
}

async function runRequest(
  world: World,
  model: Model,
  { kind, session: name, id, name: text, isDelayed }: Command,
) {
  const method = kind.replace('request ', '');
  const act = (ACTS[method] as (typeof ACTS)[string])(id, text);
  const path = method === 'POST' ? '/things' : `/things/${id}`;
  const headers = {
    'x-mock-session': name,
    ...(isDelayed && { 'x-mock-fault': JSON.stringify({ delay: DELAY }) }),
  };
  const body = method === 'POST' || method === 'PATCH' ? { name: text } : undefined;
  const session = model.use(name);
  const answered = world.send(method, path, headers, body);
  if (!session) expect(await answered).toMatchObject(LOST);
  else if (!isDelayed) expectAnswer(act(session))(await answered);
  else {
    model.waiting.push({ session, name, version: model.version, act, answered });
    // The server has it once it waits there.
    const isThere = () => countWaiting(world) === model.waiting.length;
    const end = performance.now() + 5000;
    while (!isThere() && performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
  }
}

function expectAnswer(expected: Answer): (answer: Answer) => void {
  return (answer) => expect(answer).toMatchObject(expected);
}

function countWaiting({ sessions }: World): number {
  return sessions.all().reduce((sum, { waits }) => sum + waits.size, 0);
}

/** Checks that nothing is left over: no ghost, nothing that waits, and a budget that says what is held. */
function expectTidy({ sessions }: World, model: Model): void {
  const names = sessions.all().map(({ name }) => name);
  expect(names).toEqual(['default', ...model.sessions.keys()]);
  const ledgers = sessions.all().flatMap(({ account }) => [account.caches, account.journal, account.kept]);
  const spent = ledgers.reduce((sum, { held }) => sum + held, 0);
  const count = new EntityCount();
  for (const session of sessions.all()) {
    session.store.countInto(count);
    for (const { state } of session.snapshots.values())
      for (const collection of Object.values(state.collections)) count.add(collection);
  }
  const entities = sessions.budget.held - spent;
  expect(entities).toBeGreaterThanOrEqual(count.bytes - NODES * sessions.all().length);
  sessions.budget.recount();
  expect(sessions.budget.held - spent).toBe(count.bytes);
}

/** The nodes of trees are only counted with the entities, and a session's few are part of what a session takes. */
const NODES = 8192;

describe.each([
  ['in process', false, 100],
  ['over a socket', true, 30],
] as const)('Requests, sessions, snapshots, reloads and clocks, interleaved %s', (_, isSocket, numRuns) => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  test('answer like the model, and leave nothing behind', async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (all) => {
        const world = await open(isSocket);
        const model = new Model();
        for (const command of all) {
          const run = RUNS[command.kind] ?? runRequest;
          await run(world, model, command);
          await Promise.all(model.checks);
        }
        await RUNS.advance?.(world, model, all[0] as Command);
        expect(countWaiting(world)).toBe(0);
        expectTidy(world, model);
        await world.servers.close();
      }),
      { numRuns },
    );
  });

  test('end with 503 where they wait in process when the mock closes', async () => {
    const world = await open(isSocket);
    const headers = { 'x-mock-session': 'a', 'x-mock-fault': JSON.stringify({ delay: DELAY }) };
    const answered = world.send('POST', '/things', headers, { name: 'one' });
    await vi.waitFor(() => expect(countWaiting(world)).toBe(1));
    world.sessions.wakeAll();
    expect(await answered).toMatchObject({ status: 503, body: { code: 'server_busy' } });
    expect(countWaiting(world)).toBe(0);
    await world.servers.close();
  });
});

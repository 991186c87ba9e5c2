import { afterEach, describe, expect, test, vi } from 'vitest';
import { createSessions, type Eviction } from '../src/core/service/service.ts';
import { openService } from './support/services.ts';

afterEach(() => {
  vi.useRealTimers();
});

async function open(most: number) {
  const { service } = await openService({});
  const evicted: Eviction[] = [];
  const sessions = createSessions(service, { most, onEvict: (eviction) => evicted.push(eviction) });
  return { sessions, evicted };
}

describe('The sessions of a mock', () => {
  test('make room for a new one by the least recently used one', async () => {
    const { sessions, evicted } = await open(2);
    for (const name of ['one', 'two', 'one', 'three']) sessions.use(name);
    expect(sessions.all().map(({ name }) => name)).toEqual(['default', 'one', 'three']);
    expect(evicted).toEqual([{ session: 'two', reason: 'crowded' }]);
  });

  test('let a client learn once that its session was evicted', async () => {
    const { sessions } = await open(1);
    const evicted = sessions.use('one');
    sessions.use('two');
    expect(evicted.isEnded).toBe(true);
    expect(() => sessions.use('one')).toThrow(expect.objectContaining({ code: 'session_lost' }));
    expect(sessions.use('one').isEnded).toBe(false);
  });

  test('end after an hour without a use', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { sessions, evicted } = await open(10);
    sessions.use('one');
    vi.advanceTimersByTime(59 * 60_000);
    sessions.use('two');
    vi.advanceTimersByTime(2 * 60_000);
    sessions.use('three');
    expect(evicted).toEqual([{ session: 'one', reason: 'idle' }]);
  });

  test('take what an ended one held from the budget, and what it holds later is not counted', async () => {
    const { sessions } = await open(10);
    const before = sessions.budget.held;
    const session = sessions.use('one');
    session.answers.set('key', {} as never, 5000);
    session.account.kept.hold(5000);
    expect(sessions.budget.held).toBeGreaterThan(before + 10_000);
    expect(sessions.end('one')).toBe(true);
    session.answers.set('key', {} as never, 5000);
    sessions.settle(session);
    expect(sessions.budget.held).toBe(before);
    expect(sessions.end('one')).toBe(false);
  });
});

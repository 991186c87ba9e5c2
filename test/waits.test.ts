import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Waits } from '../src/base/waits.ts';

describe('Requests that wait', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  test('go on when their time has come', async () => {
    const waits = new Waits();
    const waited = waits.wait(100, true);
    await vi.advanceTimersByTimeAsync(99);
    expect(waits.size).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect([await waited, waits.size, vi.getTimerCount()]).toEqual([true, 0, 0]);
  });

  test('are woken by the end, and leave no timer', async () => {
    const waits = new Waits();
    const [one, two] = [waits.wait(100, true), waits.wait(200, false)];
    const wake = vi.fn();
    waits.add(wake);
    waits.end();
    expect([await one, await two, wake.mock.calls.length]).toEqual([false, false, 1]);
    expect([waits.size, vi.getTimerCount()]).toEqual([0, 0]);
  });

  test('are woken by their signal, also one that was aborted before', async () => {
    const waits = new Waits();
    const controller = new AbortController();
    const waited = waits.wait(100, true, controller.signal);
    controller.abort();
    expect([await waited, await waits.wait(100, true, controller.signal)]).toEqual([false, false]);
    expect([waits.size, vi.getTimerCount()]).toEqual([0, 0]);
  });

  test('can leave, and wait again after an end', async () => {
    const waits = new Waits();
    const wake = vi.fn();
    waits.add(wake)();
    waits.end();
    expect(wake).not.toHaveBeenCalled();
    const waited = waits.wait(10, true);
    await vi.advanceTimersByTimeAsync(10);
    expect(await waited).toBe(true);
  });
});

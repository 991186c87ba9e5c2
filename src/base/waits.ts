/** The requests of one session that wait: for a delay, or for good. A class, because every session has one. */
export class Waits {
  #wakers: Set<() => void> | undefined;

  /** Calls back once, when the session ends or the mock closes. Returns the function that leaves. */
  add(wake: () => void): () => void {
    this.#wakers ??= new Set();
    this.#wakers.add(wake);
    return () => this.#wakers?.delete(wake);
  }

  /**
   * Resolves to true after some milliseconds, and early to false: when the session ends, the mock closes or `signal` is aborted. Only
   * a wait that `keepsAlive` keeps the process alive.
   */
  wait(milliseconds: number, keepsAlive: boolean, signal?: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const finish = (isDone: boolean) => {
        clearTimeout(timer);
        leave();
        signal?.removeEventListener('abort', wake);
        resolve(isDone);
      };
      const wake = () => finish(false);
      const timer = setTimeout(() => finish(true), milliseconds);
      if (!keepsAlive) timer.unref();
      const leave = this.add(wake);
      signal?.addEventListener('abort', wake, { once: true });
      if (signal?.aborted) wake();
    });
  }

  /** Wakes all. */
  end(): void {
    const wakers = this.#wakers;
    this.#wakers = undefined;
    for (const wake of wakers ?? []) wake();
  }

  /** How many wait. */
  get size(): number {
    return this.#wakers?.size ?? 0;
  }
}

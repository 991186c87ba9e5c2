import { useCallback, useEffect, useState } from 'react';

export interface Loaded<T> {
  /** The latest answer. It stays while a newer one is on its way. */
  readonly data: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** Loads when the page appears, and whenever `load` is another function. */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>({
    data: undefined,
    error: undefined,
    isLoading: true,
  });
  const [turn, setTurn] = useState(0);
  const reload = useCallback(() => setTurn((last) => last + 1), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` asks for the same again.
  useEffect(() => {
    const { signal, abort } = toAbortable();
    setState(({ data }) => ({ data, error: undefined, isLoading: true }));
    load(signal).then(
      (data) => signal.aborted || setState({ data, error: undefined, isLoading: false }),
      (error) => signal.aborted || setState(({ data }) => ({ data, error, isLoading: false })),
    );
    return abort;
  }, [load, turn]);

  return { ...state, reload };
}

function toAbortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

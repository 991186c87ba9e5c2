/** Milliseconds to wait after the last change of a file. Editors write in several steps. */
const SETTLE_MS = 50;

export interface Watcher {
  /** Replaces the files and directories to watch. */
  watch(paths: readonly string[]): void;
  close(): Promise<void>;
}

interface WatchHandlers {
  /** Called once after each burst of changes. */
  readonly onChange: () => void;
  readonly onError: (error: unknown) => void;
}

/** Watches files and directories. Resolves once every later change is noticed. */
export async function watchFiles(paths: readonly string[], handlers: WatchHandlers): Promise<Watcher> {
  const { watch } = await import('chokidar');
  let timer: NodeJS.Timeout | undefined;
  let watched = [...paths];
  const watcher = watch(watched, { ignoreInitial: true, atomic: true });
  watcher.on('all', () => {
    clearTimeout(timer);
    timer = setTimeout(handlers.onChange, SETTLE_MS);
  });
  watcher.on('error', handlers.onError);
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
  return {
    watch(wanted) {
      watcher.add(wanted.filter((path) => !watched.includes(path)));
      watcher.unwatch(watched.filter((path) => !wanted.includes(path)));
      watched = [...wanted];
    },
    async close() {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}

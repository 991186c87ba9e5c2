/** How long a file must be left alone after a change, in milliseconds: editors write in several steps. */
const SETTLE_MS = 50;

export interface Watcher {
  /** Watches these files and directories from now on, and no others. */
  watch(paths: readonly string[]): void;
  close(): Promise<void>;
}

export interface WatchHandlers {
  /** Called once after each burst of changes. */
  readonly onChange: () => void;
  readonly onError: (error: unknown) => void;
}

/** Watches files and directories; resolves when no change can be missed any more. */
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

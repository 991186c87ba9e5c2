/** How long a file must be left alone after a change, in milliseconds: editors write in several steps. */
const SETTLE_MS = 50;

export interface Watcher {
  close(): Promise<void>;
}

/** Calls back once after each burst of changes to any of the files and directories. */
export async function watchFiles(paths: readonly string[], onChange: () => void): Promise<Watcher> {
  const { watch } = await import('chokidar');
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch([...paths], { ignoreInitial: true, atomic: true });
  watcher.on('all', () => {
    clearTimeout(timer);
    timer = setTimeout(onChange, SETTLE_MS);
  });
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
  return {
    async close() {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}

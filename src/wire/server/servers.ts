import { SetupError } from '../../base/problem.ts';
import { type Listening, type ServeOptions, serve } from './http.ts';
import { toListenError } from './listen-error.ts';

export interface ListenOptions {
  /** 0, the default, picks a free port. */
  readonly port?: number;
  /** `127.0.0.1` unless given. */
  readonly host?: string;
}

/** The servers of one mock, which are closed together. */
interface Servers {
  /** Rejects with a SetupError if the system refuses, and if the servers are closed meanwhile. */
  listen(options?: ListenOptions): Promise<Listening>;
  /** Closes the servers that listen, and those that are about to. Later ones stay open. */
  close(): Promise<void>;
}

/** Creates the servers of a mock. None listens yet. */
export function createServers(options: Omit<ServeOptions, keyof ListenOptions>): Servers {
  const servers = new Set<Promise<Listening>>();
  let closings = 0;
  return {
    async listen({ port = 0, host = '127.0.0.1' } = {}) {
      const before = closings;
      const serving = serve({ ...options, host, port });
      servers.add(serving);
      const listening = await serving.catch((cause: unknown) => {
        servers.delete(serving);
        throw toListenError(cause, host, port);
      });
      if (closings > before) throw closedMeanwhile();
      return listening;
    },
    async close() {
      closings += 1;
      const closed = [...servers].map(async (serving) => {
        const listening = await serving.catch(() => undefined);
        await listening?.close();
        servers.delete(serving);
      });
      await Promise.all(closed);
    },
  };
}

function closedMeanwhile(): SetupError {
  const message = 'The mock was closed before it listened. Wait for listen() before you call close().';
  return new SetupError('mock-closed', message);
}

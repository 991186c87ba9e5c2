import { networkInterfaces } from 'node:os';

/** The URLs of a server: one for this machine, and one for each network that reaches it. */
interface Addresses {
  readonly local: string;
  readonly network: readonly string[];
}

/** Finds the URLs under which a server can be reached. A server on `0.0.0.0` or `::` can be reached from every network. */
export function findAddresses(url: string): Addresses {
  const { hostname, port } = new URL(url);
  if (hostname !== '0.0.0.0' && hostname !== '[::]') return { local: url, network: [] };
  const external = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4');
  return {
    local: `http://127.0.0.1:${port}`,
    network: [...new Set(external.map(({ address }) => `http://${address}:${port}`))],
  };
}

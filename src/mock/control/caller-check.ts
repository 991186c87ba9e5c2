import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Whether the machine at an address may use the control API. Anything but an address may not. */
export type IsCaller = (address: string) => boolean;

/** Builds the check for this machine and the given networks. Loaded with the control API, because no other request needs it. */
export function buildIsCaller(networks: readonly string[]): IsCaller {
  const allowed = new BlockList();
  for (const network of [...LOOPBACK, ...networks.flatMap((each) => NAMED[each] ?? [each])])
    addNetwork(allowed, network);
  return (address) => {
    // The zone of a link-local address, such as `%eth0`, names an interface of this machine.
    const [bare = ''] = address.split('%');
    const family = FAMILIES[isIP(bare)];
    return family !== undefined && (allowed.check(bare, family) || listOwn().check(bare, family));
  };
}

const FAMILIES: Readonly<Record<number, 'ipv4' | 'ipv6'>> = { 4: 'ipv4', 6: 'ipv6' };

const LOOPBACK = ['127.0.0.0/8', '::1'];

/** `private`: RFC 1918 and RFC 4193, and the link-local ones of RFC 3927 and RFC 4291. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10'],
  all: ['0.0.0.0/0', '::/0'],
};

function addNetwork(list: BlockList, network: string): void {
  const [address = '', bits] = network.split('/');
  const family = FAMILIES[isIP(address)];
  if (bits === undefined) list.addAddress(address, family);
  else list.addSubnet(address, Number(bits), family);
}

/** The addresses of this machine in its networks. Read at each use, because they change with the network. */
function listOwn(): BlockList {
  const own = new BlockList();
  for (const { address, family } of Object.values(networkInterfaces()).flatMap((each) => each ?? []))
    own.addAddress(address, family === 'IPv6' ? 'ipv6' : 'ipv4');
  return own;
}

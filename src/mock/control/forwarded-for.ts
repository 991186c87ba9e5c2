import type { HeaderFields } from '../../wire/message/message.ts';

/**
 * The addresses that the proxies in front of the mock name (RFC 7239 section 4, and `X-Forwarded-For`). A comma always begins the next
 * one, even in quotes: a client that opens a quote must not hide what a proxy adds behind it.
 */
export function readForwardedFor({ forwarded, 'x-forwarded-for': list }: HeaderFields): string[] {
  const named = (list ?? '').split(',').map((each) => each.trim());
  const pairs = (forwarded ?? '').split(/[,;]/).map((each) => each.trim());
  const nodes = pairs.flatMap((pair) => /^for\s*=(.*)$/i.exec(pair)?.[1]?.trim() ?? []);
  return [...named.filter((each) => each !== ''), ...nodes].map(toAddress);
}

/** Takes quotes, brackets and the port off an address. Leaves anything else as it is. */
function toAddress(node: string): string {
  const bare = node.replace(/^"(.*)"$/, '$1');
  return /^\[([^\]]*)\](?::\w*)?$/.exec(bare)?.[1] ?? /^([\d.]+):\w*$/.exec(bare)?.[1] ?? bare;
}

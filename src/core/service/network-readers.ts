import { isPathPrefix, LOOPBACK, toOrigin, toTarget } from '../../wire/message/message.ts';
import { isString, mustBe, type ReadResult } from './option-readers.ts';
import type { OptionSchema } from './option-schemas.ts';

const ORIGIN: OptionSchema = { type: 'string', pattern: '^(loopback|[a-z][a-z0-9+.-]*://[^/?#@*]+/?)$' };

/** The form that `readOrigins` accepts. */
export const ORIGINS_SCHEMA: OptionSchema = { anyOf: [ORIGIN, { type: 'array', items: ORIGIN }] };

/** Reads one origin or a list of them; `loopback` stands for every origin on this machine. */
export function readOrigins(given: unknown): ReadResult<readonly string[]> {
  const origins: string[] = [];
  for (const each of [given].flat()) {
    const origin = each === LOOPBACK ? each : isString(each) ? toOrigin(each) : undefined;
    if (origin === undefined) return mustBe(`origins like https://app.example.com, or ${LOOPBACK}`, each);
    origins.push(origin);
  }
  return { value: origins };
}

/** The form that `readBaseUrl` accepts. */
export const BASE_URL_SCHEMA: OptionSchema = { type: 'string', pattern: '^(https?://|/)[^?#\\\\\\s]*$' };

/** Reads the URL or the path at which clients reach the mock, without a slash at its end. */
export function readBaseUrl(given: unknown): ReadResult<string> {
  const text = isString(given) ? toBaseUrl(given) : undefined;
  return text === undefined
    ? mustBe('a URL like https://app.example.com/api or a path like /api', given)
    : { value: text };
}

function toBaseUrl(text: string): string | undefined {
  if (isPathPrefix(text)) return toTarget(text);
  const url = /^https?:/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const isBare = url && `${url.username}${url.password}${url.search}${url.hash}` === '';
  return isBare ? url.origin + url.pathname : undefined;
}

const NETWORK = String.raw`(private|all|[\da-fA-F:.]*[:.][\da-fA-F:.]*(/\d{1,3})?)`;
const NETWORK_LIST: OptionSchema = { type: 'string', pattern: `^${NETWORK}(, *${NETWORK})*$` };

/** The form that `readNetworks` accepts. */
export const NETWORKS_SCHEMA: OptionSchema = {
  anyOf: [NETWORK_LIST, { type: 'array', items: NETWORK_LIST }],
};

/** Reads addresses, networks, `private` and `all`: texts with commas, or a list of them. */
export function readNetworks(given: unknown): ReadResult<readonly string[]> {
  const networks: string[] = [];
  for (const each of [given].flat()) {
    const parts = isString(each) ? each.split(',').map((part) => part.trim()) : [];
    if (parts.length === 0 || !parts.every(isNetwork))
      return mustBe('addresses, networks like 10.0.0.0/8, private or all', each);
    networks.push(...parts);
  }
  return { value: networks };
}

/** Whether a text is a network, without `node:net`, which only the control API needs. */
function isNetwork(text: string): boolean {
  if (text === 'private' || text === 'all') return true;
  const [address = '', bits = '0', ...more] = text.split('/');
  const most = IPV4.test(address) ? 32 : isIPv6(address) ? 128 : -1;
  return more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
}

const OCTET = String.raw`(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
const IPV4 = new RegExp(String.raw`^(${OCTET}\.){3}${OCTET}$`);

function isIPv6(text: string): boolean {
  return text.includes(':') && URL.canParse(`http://[${text}]`);
}

/** The word that stands for every origin on this machine in a list of origins. */
export const LOOPBACK = 'loopback';

/** No host name is longer than 253 characters. */
const MOST_CHARACTERS = 300;

const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|1?\d?\d)`;
const LOOPBACK_ORIGIN = new RegExp(
  String.raw`^[a-z][a-z\d+.-]*://(?:(?:[a-z\d_-]+\.)*localhost|127(?:\.${OCTET}){3}|\[::1\])(?::\d{1,5})?$`,
);

/** Whether an Origin header names an origin on this machine, as a browser writes one. */
export function isLoopback(origin: string): boolean {
  return origin.length <= MOST_CHARACTERS && LOOPBACK_ORIGIN.test(origin);
}

/** Builds a check of Origin headers against a list of origins, which may hold `loopback`. */
export function buildOriginCheck(allowed: readonly string[]): (origin: string) => boolean {
  const named = new Set(allowed);
  const local = named.has(LOOPBACK);
  return (origin) => (local && isLoopback(origin)) || (origin !== LOOPBACK && named.has(origin));
}

/** Reads an origin as a browser writes it: `https://App.example.com:443/` is `https://app.example.com`. */
export function toOrigin(text: string): string | undefined {
  if (!URL.canParse(text) || text.includes('*')) return undefined;
  const url = new URL(text);
  const { origin, username, password, pathname, search, hash } = url;
  const isBare = `${username}${password}${search}${hash}` === '' && (pathname === '/' || pathname === '');
  if (!isBare) return undefined;
  if (origin !== 'null') return origin;
  // The standard knows no origin for the scheme of an app, such as `capacitor://app`, but its web view sends one.
  return url.host === '' || url.protocol === 'file:' ? undefined : `${url.protocol}//${url.host}`;
}

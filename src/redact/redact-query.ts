import { HIDDEN, type IsCredential } from './credential-names.ts';

/** Hides the credentials in a query or in a form without files. */
export function redactQuery(query: string, isCredential: IsCredential): string {
  return query
    .split('&')
    .map((pair) => redactPair(pair, isCredential))
    .join('&');
}

function redactPair(pair: string, isCredential: IsCredential): string {
  const mark = pair.indexOf('=');
  if (mark < 0) return pair;
  const name = pair.slice(0, mark);
  return isCredential(name) || isCredential(decode(name)) ? `${name}=${HIDDEN}` : pair;
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}

/** Hides the credentials in headers, and in the queries of URLs among their values. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  isCredential: IsCredential,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      isCredential(name) ? HIDDEN : redactUrls(value, isCredential),
    ]),
  );
}

/** Hides the credentials in the queries of a text with URLs. */
function redactUrls(text: string, isCredential: IsCredential): string {
  return text.replace(
    /([?&])([^?&=\s]*=[^?&\s#<>"]*)/g,
    (_, mark: string, pair: string) => mark + redactPair(pair, isCredential),
  );
}

import { HIDDEN, type IsCredential } from './credential-names.ts';
import { redactJson } from './redact-json.ts';
import { redactMultipart } from './redact-multipart.ts';
import { type RedactValue, redactPairs, redactUrls } from './redact-query.ts';
import { redactXml } from './redact-xml.ts';

/** Hides the credentials in a body of JSON, XML or a form. `contentType` may be missing or wrong, so the content counts as well. */
export function redactBody(body: string, contentType: string, isCredential: IsCredential): string {
  return redactContent(body, contentType, isCredential, 0);
}

/** Hides the credentials in a query. */
export function redactQuery(query: string, isCredential: IsCredential): string {
  return redactPairs(query, isCredential, buildRedactValue(isCredential, 0));
}

/** Hides the credentials in headers, and in the URLs and the JSON among their values. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  isCredential: IsCredential,
): Record<string, string> {
  const redactValue = buildRedactValue(isCredential, 0);
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      isCredential(name) ? HIDDEN : (redactValue(value) ?? value),
    ]),
  );
}

/** The most formats inside each other, such as JSON in a query in JSON. Deeper texts are hidden as a whole. */
const MOST_LAYERS = 8;

function redactContent(text: string, type: string, isCredential: IsCredential, layer: number): string {
  const redactValue = buildRedactValue(isCredential, layer);
  const boundary = /^multipart\/[^;]*;(?:.*;)?\s*boundary="?([^";]{1,70})/i.exec(type)?.[1];
  if (boundary !== undefined && text.includes(`--${boundary}`))
    return redactMultipart(text, boundary, isCredential, (content, own) =>
      redactInner(content, own, isCredential, layer + 1),
    );
  const first = /^\s*(.)/s.exec(text)?.[1] ?? '';
  if (first === '{' || first === '[' || (first === '"' && (layer === 0 || QUOTED.test(text))))
    return redactJson(text, isCredential, redactValue);
  if (first === '<') return redactUrls(redactXml(text, isCredential), isCredential, redactValue);
  if (layer > 0) return redactUrls(text, isCredential, redactValue);
  // A form, or a text that has JSON in it.
  return redactPairs(redactJson(text, isCredential, redactValue), isCredential, redactValue);
}

/** A string of JSON as a whole, and not the beginning of an object without its bracket. */
const QUOTED = /^\s*"(?:[^"\\]|\\.)*"\s*$/s;

function redactInner(text: string, type: string, isCredential: IsCredential, layer: number): string {
  return layer > MOST_LAYERS ? HIDDEN : redactContent(text, type, isCredential, layer);
}

function buildRedactValue(isCredential: IsCredential, layer: number): RedactValue {
  return (value) => {
    const shown = redactInner(value, '', isCredential, layer + 1);
    return shown === value ? undefined : shown;
  };
}

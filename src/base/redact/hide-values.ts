import { escapeControlsInLines } from '../printable.ts';
import { HIDDEN } from './credential-names.ts';

/** Builds a function that hides the values of headers in a text, in whatever form a server repeats them. */
export function buildHideValues(headers: Readonly<Record<string, string>>): (text: string) => string {
  const secrets = new Set(Object.values(headers).flatMap(toParts).flatMap(toForms));
  // The longest first, so that no rest of one stays.
  const sorted = [...secrets]
    .filter((secret) => secret.length >= SHORTEST)
    .sort((one, other) => other.length - one.length);
  return (text) =>
    escapeControlsInLines(sorted.reduce((hidden, secret) => hidden.replaceAll(secret, HIDDEN), text));
}

/** A shorter one would hide parts of ordinary words, and protects nothing. */
const SHORTEST = 4;

/** A value, and what it has behind a scheme such as Bearer, or in the pairs of a cookie; of Basic also the name and the password. */
function toParts(value: string): string[] {
  const words = value
    .split(/[\s,;]+/)
    .flatMap((word) => [word, word.slice(word.indexOf('=') + 1).replace(/^"|"$/g, '')]);
  const [, encoded] = /^Basic\s+(\S+)$/i.exec(value) ?? [];
  const pair = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString();
  return [value, ...words.filter((word) => !SCHEMES.test(word)), pair, pair.slice(pair.indexOf(':') + 1)];
}

const SCHEMES = /^(basic|bearer|digest|token|apikey)$/i;

/** As it is, in JSON, in a URL, and in base64. */
function toForms(text: string): string[] {
  return [
    text,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text),
    Buffer.from(text).toString('base64'),
  ];
}

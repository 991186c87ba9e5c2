/** Writes the attributes of an element. */
export function toAttributes(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name}="${escapeXml(String(value))}"`)
    .join(' ');
}

const XML_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Escapes a text. Replaces control characters and lone surrogates, because XML 1.0 cannot express them even escaped. */
export function escapeXml(text: string): string {
  return text
    .replace(LONE_SURROGATE, '\uFFFD')
    .replace(/[&<>"]/g, (char) => XML_ESCAPES[char] ?? char)
    .replace(CONTROL, '\uFFFD');
}

const LONE_SURROGATE = /\p{Surrogate}/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern is there to find them
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

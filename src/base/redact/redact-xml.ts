import { HIDDEN, type IsCredential } from './credential-names.ts';

/** How much of an element is hidden: nothing, its own text, or all below it. */
type Secrecy = ReturnType<IsCredential>;

/**
 * Hides the texts of elements, as text or as CDATA, and the values of attributes by their names. Works on the text, because a body may
 * be malformed. Linear.
 */
export function redactXml(text: string, isCredential: IsCredential): string {
  const parts: string[] = [];
  const open: Secrecy[] = [];
  const findEnd = buildFindEnd(text);
  for (let at = 0; at < text.length; ) {
    const secrecy = open.at(-1) ?? false;
    const tag = text.indexOf('<', at);
    const end = tag < 0 ? text.length : tag;
    parts.push(hideText(text.slice(at, end), secrecy));
    if (tag < 0) break;
    if (text.startsWith(CDATA, tag)) {
      const close = findEnd(']]>', tag);
      parts.push(secrecy ? hideText(text.slice(tag + CDATA.length, close), secrecy) : text.slice(tag, close));
      at = close;
    } else if (text.startsWith('<!--', tag)) {
      at = findEnd('-->', tag);
      parts.push(text.slice(tag, at));
    } else {
      at = findEnd('>', tag);
      parts.push(enterTag(text.slice(tag, at), open, isCredential));
    }
  }
  return parts.join('');
}

const CDATA = '<![CDATA[';

function hideText(text: string, secrecy: Secrecy): string {
  return secrecy && text.trim() !== '' ? HIDDEN : text;
}

/** Notes that an element begins or ends. Returns its tag with the values of attributes hidden. */
function enterTag(tag: string, open: Secrecy[], isCredential: IsCredential): string {
  if (tag.startsWith('</')) {
    open.pop();
    return tag;
  }
  const name = /^<([\w:.-]+)/.exec(tag)?.[1];
  if (name === undefined) return tag;
  if (!tag.endsWith('/>')) open.push(open.at(-1) === true || isCredential(name));
  return tag.replace(
    /(?<![\w:.-])([\w:.-]+)(\s*=\s*)(?:"[^"]*"|'[^']*')/g,
    (whole, own: string, equals: string) => (isCredential(own) ? `${own}${equals}"${HIDDEN}"` : whole),
  );
}

/**
 * Builds a function that finds the position behind a mark, the end of the text if there is none. Behind a tag it is the `>` outside of
 * quotes. A mark that was not found once is not looked for again.
 */
function buildFindEnd(text: string): (mark: string, from: number) => number {
  const missing = new Set<string>();
  const find = (mark: string, from: number): number => {
    const found = missing.has(mark) ? -1 : text.indexOf(mark, from);
    if (found < 0) missing.add(mark);
    return found;
  };
  return (mark, from) => {
    let at = from;
    if (mark === '>') at = skipQuotes(text, from, find);
    const end = find(mark, at);
    return end < 0 ? text.length : end + mark.length;
  };
}

/** The position behind the last attribute in quotes before the end of a tag. A quote without an end is an ordinary character. */
function skipQuotes(text: string, from: number, find: (mark: string, from: number) => number): number {
  let at = from;
  while (at < text.length && text[at] !== '>') {
    const character = text[at] as string;
    const close = character === '"' || character === "'" ? find(character, at + 1) : -1;
    at = close < 0 ? at + 1 : close + 1;
  }
  return at;
}

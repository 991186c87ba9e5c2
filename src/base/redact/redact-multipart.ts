import { HIDDEN, type IsCredential } from './credential-names.ts';

/** Hides the contents of the fields of a form by their names, and what `redactContent` finds in those of the others. */
export function redactMultipart(
  body: string,
  boundary: string,
  isCredential: IsCredential,
  redactContent: (content: string, type: string) => string,
): string {
  const mark = `--${boundary}`;
  const toShown = (part: string): string => {
    const blank = BLANK.exec(part);
    if (!blank) return part;
    const start = blank.index + blank[0].length;
    const head = part.slice(0, start);
    const name = /\bname\s*\*?=\s*"?(?:utf-8'[^']*')?([^";\r\n]*)/i.exec(head)?.[1];
    if (name !== undefined && isCredential(name)) return `${head}${HIDDEN}\r\n`;
    const content = part.slice(start);
    const type = /^content-type\s*:\s*([^\r\n]*)/im.exec(head)?.[1] ?? '';
    return STRUCTURED.test(content) || /^multipart\/|urlencoded/i.test(type)
      ? head + redactContent(content, type)
      : part;
  };
  return body.split(mark).map(toShown).join(mark);
}

/** The blank line behind the headers of a part. */
const BLANK = /\r?\n\r?\n/;

/** The first character of JSON or XML. The bytes of other files are none. */
const STRUCTURED = /^\s*[{["<]/;

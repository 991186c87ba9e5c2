import { HIDDEN, type IsCredential } from './credential-names.ts';
import { redactJson } from './redact-json.ts';
import { redactQuery } from './redact-query.ts';

/** Hides the credentials in a body of JSON, XML or a form. `contentType` may be missing or wrong, so the content counts as well. */
export function redactBody(body: string, contentType: string, isCredential: IsCredential): string {
  const boundary = /^multipart\/[^;]*;(?:.*;)?\s*boundary="?([^";]{1,70})/i.exec(contentType)?.[1];
  if (boundary !== undefined) return redactMultipart(body, boundary, isCredential);
  const first = /^\s*(.)/s.exec(body)?.[1];
  if (first === '{' || first === '[' || /\bjson\b/i.test(contentType)) return redactJson(body, isCredential);
  if (first === '<') return redactXml(body, isCredential);
  return redactQuery(body, isCredential);
}

/** Hides the contents of the fields of a form by their names. */
function redactMultipart(body: string, boundary: string, isCredential: IsCredential): string {
  const mark = `--${boundary}`;
  return body
    .split(mark)
    .map((part) => redactPart(part, isCredential))
    .join(mark);
}

function redactPart(part: string, isCredential: IsCredential): string {
  const blank = part.indexOf('\r\n\r\n');
  const name = /\bname="?([^";\r\n]*)/i.exec(part.slice(0, Math.max(blank, 0)))?.[1];
  const isHidden = name !== undefined && isCredential(name);
  return isHidden ? `${part.slice(0, blank)}\r\n\r\n${HIDDEN}\r\n` : part;
}

/** Hides the texts of elements and the values of attributes by their names. The lookbehind keeps the search linear. */
function redactXml(body: string, isCredential: IsCredential): string {
  return body
    .split('<')
    .map((piece) => redactElement(piece, isCredential))
    .join('<');
}

function redactElement(piece: string, isCredential: IsCredential): string {
  const close = piece.indexOf('>');
  if (close < 0) return piece;
  const head = piece
    .slice(0, close)
    .replace(/(?<![\w:.-])([\w:.-]+)=(?:"[^"]*"|'[^']*')/g, (whole, name: string) =>
      isCredential(name) ? `${name}="${HIDDEN}"` : whole,
    );
  const name = /^[\w:.-]+/.exec(head)?.[0];
  const text = piece.slice(close + 1);
  const isHidden = name !== undefined && !head.endsWith('/') && text.trim() !== '' && isCredential(name);
  return `${head}>${isHidden ? HIDDEN : text}`;
}

import type { MockRequest } from '../../wire/message/message.ts';

/** Writes a request below a base URL as a line for the shell. */
export function toCurl(
  { method, path, query, headers, body }: MockRequest,
  base = 'http://localhost:4010',
): string {
  const url = `${base}${path}${query === '' ? '' : `?${query}`}`;
  const parts = [
    'curl',
    ...(method === 'HEAD' ? ['-I'] : method === 'GET' ? [] : ['-X', method]),
    quote(url),
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', quote(`${name}: ${value}`)]),
    ...(body instanceof Uint8Array ? ['--data-binary', quoteBody(body)] : []),
  ];
  return parts.join(' ');
}

function quote(text: string): string {
  return /^[\w./:=?&%,@+-]+$/.test(text) && !text.includes('&') && !text.includes('?')
    ? text
    : `'${text.replaceAll("'", "'\\''")}'`;
}

function quoteBody(body: Uint8Array): string {
  const text = quote(new TextDecoder().decode(body));
  // The shell would not preserve the line breaks of a multipart body.
  return text.includes('\r') ? `$${text.replaceAll('\r', '\\r').replaceAll('\n', '\\n')}` : text;
}

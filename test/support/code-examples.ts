import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, request } from 'node:http';
import { parse } from 'yaml';
import { type ExplainedCode, readCodesPage } from '../../src/cli/codes-page.ts';
import { createMock, type Mock, type MockOptions } from '../../src/index.ts';

/** The page of all codes. */
export const CODES_FILE: URL = new URL('../../docs/codes.md', import.meta.url);

const groups = readCodesPage(readFileSync(CODES_FILE, 'utf8'));

/** The sections of a group, by the beginning of its title. */
export function sectionsOf(title: string): readonly ExplainedCode[] {
  return groups.find((group) => group.title.startsWith(title))?.codes ?? [];
}

/** The contents of the code blocks of a language in a section. */
export function blocksOf({ text }: ExplainedCode, language: string): string[] {
  const found = text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'));
  return Array.from(found, ([, block = '']) => block);
}

/** The content of the first code block of a language in a section. */
export function blockOf(section: ExplainedCode, language: string): string | undefined {
  return blocksOf(section, language)[0];
}

/** Replaces a code block of the page. */
export async function updateBlock(before: string, after: string): Promise<void> {
  const page = await readFile(CODES_FILE, 'utf8');
  await writeFile(
    CODES_FILE,
    page.replace(`\n${before}\`\`\``, () => `\n${after}\`\`\``),
  );
}

const HEAD = 'openapi: 3.0.3\ninfo: { title: Shop, version: 1.0.0 }\n';

/** A whole document of the fragment in a section. */
export function toWhole(fragment: string): string {
  return /^(openapi|swagger):/m.test(fragment) ? fragment : HEAD + fragment;
}

/** One command of an example, with the output that the page shows. */
export interface Command {
  readonly line: string;
  readonly shown: string;
}

/** Splits an example at its commands. */
export function toCommands(example: string): Command[] {
  return example
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      return { line: part.slice(0, end), shown: part.slice(end + 1) };
    });
}

export interface Answer {
  readonly status: number;
  readonly phrase: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Opens the mock that the example of a section is about: of its document, with the options of its first command. */
export async function openExample(section: ExplainedCode): Promise<Mock> {
  const document = blockOf(section, 'yaml');
  const [first] = toCommands(blockOf(section, 'sh') ?? '');
  return createMock({
    ...(document !== undefined && { spec: parse(toWhole(document)) }),
    ...readFlags(first?.line ?? ''),
  });
}

function readFlags(line: string): MockOptions {
  const [command, flag, value = ''] = splitWords(line);
  if (command !== 'petstore-mock') return {};
  if (flag === '--error') return { errors: [value] };
  if (flag === '--max-sessions') return { maxSessions: Number(value) };
  if (flag === '--sunset') return { sunset: value as 'gone' };
  throw new Error(`No example may use ${flag}`);
}

/** Sends what a line with curl sends, over a socket. */
export function runCurl(line: string, port: number): Promise<Answer> {
  const [, piped = '', rest = line] = /^printf '([^']*)' \| (.*)$/.exec(line) ?? [];
  const sent: Sent = { path: '', method: 'GET', headers: { Accept: '*/*' }, body: undefined };
  const [, ...words] = splitWords(rest);
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word.startsWith(BASE)) sent.path = word.slice(BASE.length);
    else if (word !== '-i') readOption(word, words.shift() ?? '', sent, piped);
  }
  return send(port, sent);
}

const BASE = 'http://127.0.0.1:4010';

function readOption(option: string, value: string, sent: Sent, piped: string): void {
  if (option === '-X') sent.method = value;
  else if (option === '-H') {
    const [name = '', ...parts] = value.split(': ');
    sent.headers[name] = parts.join(': ');
  } else if (option === '-d' || option === '--data-binary') {
    sent.body = value === '@-' ? toBytes(piped) : value;
    if (sent.method === 'GET') sent.method = 'POST';
    sent.headers['Content-Type'] ??= 'application/x-www-form-urlencoded';
  } else throw new Error(`No example may use ${option}`);
}

interface Sent {
  path: string;
  method: string;
  readonly headers: Record<string, string>;
  body: string | Buffer | undefined;
}

function send(port: number, { path, method, headers, body = '' }: Sent): Promise<Answer> {
  const bytes = Buffer.from(body);
  const length = bytes.length === 0 ? {} : { 'Content-Length': bytes.length };
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', path, method, headers: { ...headers, ...length } };
    const sent = request(options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const { statusCode: status = 0, statusMessage: phrase = '', headers } = incoming;
        resolve({ status, phrase, headers, body: Buffer.concat(chunks).toString() });
      });
    });
    sent.on('error', reject).end(bytes);
  });
}

/** `\377` → its byte */
function toBytes(text: string): Buffer {
  return Buffer.from(
    text.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))),
    'latin1',
  );
}

/** The words of a line for the shell. */
export function splitWords(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  );
}

/** What the page shows of an answer: the body, or with `-i` the first line and the headers of findings. */
export function toShown(line: string, { status, phrase, headers, body }: Answer): string {
  if (!/ -i /.test(line)) return body === '' ? '' : `${body}\n`;
  const names = ['X-Mock-Violations', 'X-Mock-Warnings'];
  const found = names.flatMap((name) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? [] : [`${name}: ${value}`, '...'];
  });
  return [`HTTP/1.1 ${status} ${phrase}`, '...', ...found].map((each) => `${each}\n`).join('');
}

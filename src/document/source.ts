import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import type { LineCounter, Document as YamlDocument } from 'yaml';
import { SetupError } from '../problem.ts';
import { parseQuickly } from './parse-fast.ts';

const require = createRequire(import.meta.url);

/** The parser that knows lines; most starts go without it. */
const loadYaml = () => require('yaml') as typeof import('yaml');

/** A YAML or JSON text as data, with the way back from a place in the data to its line in the text. */
export interface Source {
  /** The file or URL, as it is shown to people. */
  readonly location: string;
  readonly data: unknown;
  /** The text itself; none for data that never was text. */
  readonly text: string | undefined;
  /** Whether no two places of the data hold the same object. Anchors, and objects given in process, may share some. */
  readonly isTree: boolean;
  /** `line 12` for the deepest part of the path that exists in the text; empty for data that never was text. */
  line(path: readonly (string | number)[]): string;
}

const FETCH_TIMEOUT_MS = 10_000;

/** Reads YAML or JSON from a file, an http(s) URL, or standard input (`-`). Throws a SetupError that names the line of a syntax error. */
export async function readSource(location: string, what: string): Promise<Source> {
  return parseSource(await readLocation(location, what), location, what);
}

/** Parses YAML or JSON text. `what` names the thing in messages: `document`, `config file`. */
export function parseSource(content: string, location: string, what: string): Source {
  const quick = parseQuickly(content);
  if (quick) {
    let lined: Lined | undefined;
    const line = (path: readonly (string | number)[]) => {
      lined ??= parseWithLines(content);
      return toLine(lined, path);
    };
    return { location, text: content, data: quick.data, isTree: true, line };
  }
  const lined = parseWithLines(content);
  const { yaml, lines } = lined;
  const error = yaml.errors[0];
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw new SetupError(
      `Failed to load the ${what} ${location}: line ${line}, column ${col}: ${toSentence(error.message)} Correct the syntax there.`,
    );
  }
  return {
    location,
    text: content,
    data: toData(yaml, location, what),
    isTree: false,
    line: (path) => toLine(lined, path),
  };
}

/** Data that was given as an object, in process. */
export function toSource(data: unknown, location: string): Source {
  return { location, text: undefined, data, isTree: false, line: () => '' };
}

/** `<location>: <line>: <place>`, without what does not exist. */
export function toPlace(source: Source, path: readonly (string | number)[]): string {
  const pointer = path
    .map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
  return [source.location, source.line(path), pointer && `#${pointer}`].filter(Boolean).join(': ');
}

export function isUrl(location: string): boolean {
  return /^https?:\/\//i.test(location);
}

/** The SetupError for something that is wrong at a place of a document. */
export function mistakeAt(
  source: Source,
  path: readonly (string | number)[],
  what: string,
  remedy: string,
): SetupError {
  return new SetupError(`Failed to load the document ${toPlace(source, path)}: ${what}. ${remedy}`);
}

function readLocation(location: string, what: string): Promise<string> {
  if (location === '-') return readStandardInput();
  return isUrl(location) ? readUrl(location, what) : readText(location, what);
}

let standardInput: Promise<string> | undefined;

/** Standard input can be read only once, so what it held is kept for a reload. */
function readStandardInput(): Promise<string> {
  standardInput ??= text(createReadStream('', { fd: 0 }));
  return standardInput;
}

async function readText(location: string, what: string): Promise<string> {
  try {
    return await readFile(location, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw new SetupError(`There is no ${what} at ${location}. Check the path.`, { cause });
    if (code === 'EISDIR')
      throw new SetupError(`${location} is a directory. Name the ${what} in it.`, { cause });
    throw new SetupError(`Failed to read the ${what} ${location}: ${(cause as Error).message}.`, { cause });
  }
}

async function readUrl(location: string, what: string): Promise<string> {
  const remedy = 'Check the URL with a browser or curl, or download it and name the file.';
  let response: Response;
  try {
    response = await fetch(location, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
  } catch (cause) {
    const { message, cause: reason } = cause as Error;
    const why = reason instanceof Error && reason.message ? reason.message : message;
    throw new SetupError(`Failed to fetch the ${what} ${location}: ${why}. ${remedy}`, { cause });
  }
  if (!response.ok) {
    throw new SetupError(
      `Failed to fetch the ${what} ${location}: the server answered ${response.status}. ${remedy}`,
    );
  }
  return response.text();
}

/** A text with the way from its parts to their lines. It takes much time and memory, and is made when a line is asked for. */
interface Lined {
  readonly yaml: YamlDocument.Parsed;
  readonly lines: LineCounter;
}

function parseWithLines(content: string): Lined {
  const { LineCounter, parseDocument } = loadYaml();
  const lines = new LineCounter();
  return { yaml: parseDocument(content, { lineCounter: lines, prettyErrors: false }), lines };
}

function toLine({ yaml, lines }: Lined, path: readonly (string | number)[]): string {
  const offset = toOffset(yaml, path);
  return offset === undefined ? 'line 1' : `line ${lines.linePos(offset).line}`;
}

function toData(yaml: YamlDocument.Parsed, location: string, what: string): unknown {
  try {
    return yaml.toJS();
  } catch (cause) {
    // The library refuses alias bombs and unresolved aliases only here.
    throw new SetupError(`Failed to load the ${what} ${location}: ${toSentence((cause as Error).message)}`, {
      cause,
    });
  }
}

function toOffset(yaml: YamlDocument.Parsed, path: readonly (string | number)[]): number | undefined {
  const { isMap, isNode, isScalar, isSeq } = loadYaml();
  let node: unknown = yaml.contents;
  let offset: number | undefined;
  for (const token of path) {
    // Not by `getIn`: a key such as 200 is a number in YAML, and a string in the data.
    const pair = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(token))
      : undefined;
    node = isSeq(node) ? node.items[Number(token)] : pair?.value;
    const place = pair ? pair.key : node;
    if (!isNode(place)) break;
    offset = place.range?.[0] ?? offset;
  }
  return offset;
}

function toSentence(message: string): string {
  const first = message.split('\n', 1)[0]?.trim() ?? '';
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

import { createRequire } from 'node:module';
import type { LineCounter, Document as YamlDocument } from 'yaml';
import { once } from '../base/once.ts';
import { SetupError } from '../base/problem.ts';
import { toPointer } from '../schema/schema.ts';
import { toCodeFrame } from './code-frame.ts';
import { buildLineFinder, type KeyPath } from './find-lines.ts';
import { parseFast } from './parse-fast.ts';
import { readContent } from './read-content.ts';

export type { KeyPath } from './find-lines.ts';

const require = createRequire(import.meta.url);

/** Loads the parser that knows lines, which most starts do not need. */
const loadYaml = () => require('yaml') as typeof import('yaml');

/** The data of a YAML or JSON text, with the lines of its places. */
export interface Source {
  /** The file or URL, as messages show it. */
  readonly location: string;
  readonly data: unknown;
  /** The text; `undefined` for data given in process. */
  readonly text: string | undefined;
  /** Whether every object of the data occurs in a single place. Anchors and data given in process may share objects. */
  readonly isTree: boolean;
  /** `line 12` for the deepest part of the path that exists in the text; empty for data given in process. */
  line(path: KeyPath): string;
}

/** Reads YAML or JSON from a file, an http(s) URL, or standard input (`-`). Throws a SetupError that names the line of a syntax error. */
export async function readSource(location: string, what: string): Promise<Source> {
  return parseSource(await readContent(location, what), location, what);
}

/** Parses YAML or JSON text. `what` describes the text in messages: `document`, `config file`. */
export function parseSource(content: string, location: string, what: string): Source {
  const parsed = parseFast(content);
  if (parsed) {
    const find = once(() => buildLineFinder(content) ?? toFinder(parseWithLines(content)));
    return { location, text: content, ...parsed, line: (path) => `line ${find()(path)}` };
  }
  const lined = parseWithLines(content);
  const { yaml, lines } = lined;
  const error = yaml.errors[0];
  if (error) {
    const inJson = findJsonMistake(content);
    const { line, col } = lines.linePos(inJson?.offset ?? error.pos[0]);
    const reason = toFirstSentence(inJson?.reason ?? error.message);
    throw new SetupError(
      'syntax-invalid',
      `Failed to load the ${what} ${location}: line ${line}, column ${col}: ${reason} Correct the syntax there.\n${toCodeFrame(content, line, col)}`,
    );
  }
  const data = toData(yaml, location, what);
  const find = toFinder(lined);
  return { location, text: content, data, isTree: false, line: (path) => `line ${find(path)}` };
}

/**
 * The mistake in a text that is to be JSON, in the words of JSON rather than of YAML, with its offset if the parser gives one;
 * `undefined` for any other text.
 */
function findJsonMistake(content: string): { readonly reason: string; readonly offset?: number } | undefined {
  if (!/^\s*[[{]/.test(content)) return undefined;
  try {
    JSON.parse(content);
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    const position = / at position (\d+)/.exec(message)?.[1];
    const reason = message.replace(/ in JSON at position.*| \(line \d+ column \d+\)|, ".*$/s, '');
    return { reason, ...(position !== undefined && { offset: Number(position) }) };
  }
}

/** Wraps data given in process. */
export function toSource(data: unknown, location: string): Source {
  return { location, text: undefined, data, isTree: false, line: () => '' };
}

/** Formats a place as `<location>: <line>: #<pointer>`; data given in process has no line, the root no pointer. */
export function toPlace(source: Source, path: KeyPath): string {
  const pointer = toPointer(path);
  return [source.location, source.line(path), pointer && `#${pointer}`].filter(Boolean).join(': ');
}

/** Creates the SetupError for a mistake at a place of a document. */
export function mistakeAt(source: Source, path: KeyPath, what: string, remedy: string): SetupError {
  const message = `Failed to load the document ${toPlace(source, path)}: ${what}. ${remedy}`;
  return new SetupError('document-invalid', message);
}

/** Builds a syntax tree with its lines. It takes much time and memory, so it is the last resort for texts that nothing else reads. */
interface LinedText {
  readonly yaml: YamlDocument.Parsed;
  readonly lines: LineCounter;
}

function parseWithLines(content: string): LinedText {
  const { LineCounter, parseDocument } = loadYaml();
  const lines = new LineCounter();
  return { yaml: parseDocument(content, { lineCounter: lines, prettyErrors: false }), lines };
}

function toFinder({ yaml, lines }: LinedText): (path: KeyPath) => number {
  return (path) => lines.linePos(toOffset(yaml, path) ?? 0).line;
}

function toData(yaml: YamlDocument.Parsed, location: string, what: string): unknown {
  try {
    return yaml.toJS();
  } catch (cause) {
    // The library rejects alias bombs and unresolved aliases only here.
    throw new SetupError(
      'syntax-invalid',
      `Failed to load the ${what} ${location}: ${toFirstSentence((cause as Error).message)}`,
      {
        cause,
      },
    );
  }
}

function toOffset(yaml: YamlDocument.Parsed, path: KeyPath): number | undefined {
  const { isMap, isNode, isScalar, isSeq } = loadYaml();
  let node: unknown = yaml.contents;
  let offset: number | undefined;
  for (const token of path) {
    // `getIn` would miss keys such as 200, which are numbers in YAML but strings in the data.
    const pair = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(token))
      : undefined;
    node = isSeq(node) ? node.items[Number(token)] : pair?.value;
    const located = pair ? pair.key : node;
    if (!isNode(located)) break;
    offset = located.range?.[0] ?? offset;
  }
  return offset;
}

function toFirstSentence(message: string): string {
  const first = message.split('\n', 1)[0]?.trim() ?? '';
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { isMap, isNode, isScalar, isSeq, LineCounter, parse, parseDocument } from 'yaml';
import { parseFast } from '../src/document/parse-fast.ts';
import { parseSource } from '../src/document/source.ts';

const DOCUMENTS = new URL('documents/', import.meta.url);

/** What the two parsers must read alike, whichever of them reads it. */
const TEXTS: readonly (readonly [title: string, text: string])[] = [
  ['nothing', ''],
  ['only a comment', '# nothing\n'],
  ['null in all its spellings', 'a: ~\nb: null\nc: Null\nd: NULL\ne:\nf: nULL\n'],
  ['booleans in all their spellings', 'a: true\nb: True\nc: TRUE\nd: tRUE\ne: yes\nf: off\ng: False\n'],
  ['integers of every base', 'a: 12\nb: +12\nc: -12\nd: 0x1F\ne: 0o17\nf: 0b11\ng: -0x1F\nh: 012\ni: -0\n'],
  ['numbers with underscores, which are text', 'a: 1_000\nb: 0x_f\nc: 1_0.5\n'],
  ['fractions and exponents', 'a: 1.0\nb: 1.\nc: .5\nd: -1.5e3\ne: 1e3\nf: +.5E-2\ng: 1.2.3\nh: 1e\n'],
  ['numbers without bounds', 'a: .inf\nb: -.INF\nc: +.Inf\nd: .NaN\ne: .nAn\nf: +.nan\n'],
  ['integers that no number holds', 'a: 9007199254740993\nb: 123456789012345678901234567890\n'],
  ['dates, which are text', 'a: 2026-01-01\nb: 2026-01-01T00:00:00Z\n'],
  ['times, which are text', 'a: 12:30:45\n'],
  ['keys that are numbers and booleans', '200: a\n0x10: b\n1.0: c\ntrue: d\n1e3: e\n'],
  ['the merge key, which is a key like others', '<<: {a: 1}\nb: 2\n'],
  ['a key that has a meaning in JavaScript', '__proto__: {a: 1}\nconstructor: 2\n'],
  ['a null key', 'null: 1\n'],
  ['a null key in a flow mapping', 'a: {~: 1, b: 2}\n'],
  ['an empty key', ': 1\n'],
  ['an empty key in a flow mapping', 'a: {: 1}\n'],
  ['a key that is a list', '[a, b]: 1\n'],
  ['a key that is a mapping', '{a: 1}: 2\n'],
  ['an explicit key', '? a\n: 1\n'],
  ['an anchor and its alias', 'a: &x {b: 1}\nc: *x\n'],
  ['an anchor at a scalar', 'a: &x 1\nb: [*x, *x]\n'],
  ['an ampersand in plain text', 'a: fish & chips &c.\n'],
  ['block texts', 'a: |\n  one\n   two\n\n  three\nb: >-\n  one\n  two\n\n  three\nc: |+\n  one\n\n'],
  ['block texts with an indentation', 'a: |2\n    one\n   two\nb: >1-\n  one\n'],
  ['text over lines', 'a: one\n  two\n\n  three\nb: "one\n  two\\\n  three"\nc: \'one\n\n  two\'\n'],
  ['escapes', "a: \"\\x41\\u00e9\\U0001F600\\t\\0\\/\\e\\_\"\nb: 'it''s'\n"],
  ['text with marks in it', 'a: http://example.com:80/#x\nb: a#b\nc: a:b\n'],
  ['text with colons in quotes', 'a: "b: c"\nd: \'- e\'\n"f: g": 1\n'],
  ['lists in lists', '- - 1\n  - 2\n-\n  - 3\n- []\n'],
  ['a list at the indentation of its key', 'a:\n- 1\n- b: 2\n  c: 3\n'],
  ['flow collections over lines', 'a: [1,\n  2, {b: c,\n  d: e}]\n'],
  ['flow collections with ends of their own', 'a: [1, 2,]\nb: {c: 1,}\nd: {e, f: 1}\n'],
  ['a path with parameters for a key', '/pets/{petId}:\n  get: {}\n/a/{b}/{c}: 1\n'],
  ['tags of the core schema', 'a: !!str 1\nb: !!int "2"\nc: !!float 1\nd: !!null ""\ne: !!bool "true"\n'],
  ['a tag that nobody knows', 'a: !mine 1\n'],
  ['a binary tag', 'a: !!binary aGk=\n'],
  ['a directive', '%YAML 1.1\n---\na: yes\nb: 0b11\n'],
  ['the beginning and end of a document', '---\na: 1\n...\n'],
  ['lines that end like those of Windows', 'a: 1\r\nb: |\r\n  one\r\n  two\r\nc:\r\n  - 2\r\n'],
  ['a byte order mark', '\uFEFFa: 1\n'],
  ['JSON', '{"a": [1, 2.50, -0, 1e3, true, null, "x"], "b": {"": {"c:": "d: \\"e\\": f"}}}'],
  ['JSON with a byte order mark', '\uFEFF{"a": 1}'],
  ['JSON with escapes', '{"a\\\\": "\\u00e9\\ud83d\\ude00\\/\\b\\f\\n\\"", "b\\"": "\\\\\\\\"}'],
  ['JSON with a key that has a meaning in JavaScript', '{"__proto__": {"a": 1}, "toString": 2}'],
  ['JSON with integers that no number holds', '{"a": 9007199254740993, "b": 1e400}'],
  ['JSON with comments, which is YAML', '{"a": 1} # one'],
  ['JSON with a comma too many, which is YAML', '{"a": [1, 2,],}'],
  ['a number alone', '12'],
  ['text alone', 'pets'],
  ['a list alone', '[1, {a: b}]'],
];

/** What is refused, with the line. */
const MISTAKES: readonly (readonly [title: string, text: string, message: RegExp])[] = [
  ['a key that comes twice', 'a: 1\nb: 2\na: 3\n', /line 3, column 1: Map keys must be unique/],
  ['a key that comes twice in JSON', '{\n "a": 1,\n "a": 2\n}', /line 3, column 2: Map keys must be unique/],
  ['a bracket that is not closed', 'a: [1, 2\nb: 3\n', /line 2, column 1: /],
  ['JSON that ends too early', '{\n "a": [1,\n', /line 3, column 1: /],
  ['two documents', 'a: 1\n---\nb: 2\n', /line 2, column 1: /],
  ['an alias without an anchor', 'a: *b\n', /Unresolved alias/],
  ['a bomb of aliases', toBomb(), /Excessive alias count/],
];

describe('A text is read as the YAML library reads it:', () => {
  test.each(TEXTS)('%s', (_, text) => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const { data } = parseSource(text, 'file', 'document');
    expect(data).toEqual(parse(text));
    expect(JSON.stringify(data)).toBe(JSON.stringify(parse(text)));
    warn.mockRestore();
  });

  test.each(MISTAKES)('%s is a mistake', (_, text, message) => {
    expect(() => parseSource(text, 'file', 'document')).toThrow(message);
  });
});

describe('The quick parser', () => {
  test.each([
    ['JSON', '{"openapi": "3.0.3", "paths": {"/a": {}}}'],
    ['YAML', 'openapi: 3.0.3\npaths:\n  /a/{b}:\n    get: {summary: "Fish & chips: 5"}\n'],
  ])('reads an ordinary document of %s by itself', (_, text) => {
    expect(parseFast(text)).toEqual({ data: parse(text), isTree: true });
  });

  test.each([
    ['an alias', 'a: &x {b: 1}\nc: *x\n'],
    ['an anchor at a scalar, in a list', 'a: &x 1\nb: [*x, *x]\n'],
    ['an alias that comes very often', `a: &x {b: 1}\nc: [${Array(200).fill('*x').join(', ')}]\n`],
  ])('reads %s', (_, text) => {
    expect(parseFast(text)).toEqual({ data: parse(text, { maxAliasCount: -1 }), isTree: false });
  });

  test.each([
    ['aliases that stand for very much', toBomb()],
    ['an alias in what it stands for', 'a: &x\n  b: *x\n'],
  ])('leaves %s to the other', (_, text) => {
    expect(parseFast(text)).toBeUndefined();
  });
});

describe('A line is that of the YAML library:', () => {
  const documents = readdirSync(DOCUMENTS).filter((name) => /\.(ya?ml|json)$/.test(name));
  const files = documents.map((name): [string, string] => [
    name,
    readFileSync(new URL(name, DOCUMENTS), 'utf8'),
  ]);

  test.each([...TEXTS, ...files])('%s', (_, text) => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const { line, data } = parseSource(text, 'file', 'document');
    const lines = new LineCounter();
    const tree = parseDocument(text, { lineCounter: lines });
    for (const path of listPaths(data)) {
      // Integers and the like are keys of another type there, and nobody asks for what is behind an alias or in a key.
      const offset = findOffset(tree.contents, path);
      if (offset !== undefined)
        expect([path, line(path)]).toEqual([path, `line ${lines.linePos(offset).line}`]);
    }
    warn.mockRestore();
  });

  test('for a path that ends before, that of its last part', () => {
    const { line } = parseSource('a:\n  b:\n    - 1\n    - 2\n', 'file', 'document');
    expect([line(['a', 'b']), line(['a', 'b', 1]), line(['a', 'x'])]).toEqual(['line 2', 'line 4', 'line 1']);
    expect(parseSource('{"a":\n {"b": 1}}', 'file', 'document').line(['a', 'b', 'c'])).toBe('line 2');
  });
});

/** The paths of all values in data that has no circles. */
function listPaths(node: unknown): (string | number)[][] {
  if (typeof node !== 'object' || node === null) return [];
  const keys = Array.isArray(node) ? [...node.keys()] : Object.keys(node);
  return keys.flatMap((key) => [[key], ...listPaths(Reflect.get(node, key)).map((path) => [key, ...path])]);
}

/** The offset of a key or an item; `undefined` where a key on the way is no text. */
function findOffset(root: unknown, path: readonly (string | number)[]): number | undefined {
  let node = root;
  let offset: number | undefined;
  for (const token of path) {
    const pair = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(token))
      : undefined;
    if (isMap(node) && !pair) return undefined;
    if (!isMap(node) && !isSeq(node)) return undefined;
    node = isSeq(node) ? node.items[Number(token)] : pair?.value;
    const located = pair ? pair.key : node;
    if (!isNode(located)) return undefined;
    offset = located.range?.[0];
  }
  return offset;
}

function toBomb(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 10; level++) {
    lines.push(
      `a${level}: &a${level} [${Array(10)
        .fill(`*a${level - 1}`)
        .join(', ')}]`,
    );
  }
  return lines.join('\n');
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import ts from 'typescript';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import type { ExplainedCode } from '../src/cli/codes-page.ts';
import { createMock, type Mock } from '../src/index.ts';
import { closeAll, describeInProcess } from './support/adapters.ts';
import {
  type Answer,
  blockOf,
  openExample,
  runCurl,
  sectionsOf,
  toCommands,
  toShown,
  toWhole,
  updateBlock,
} from './support/code-examples.ts';
import { runCommand } from './support/run-command.ts';
import { readSources } from './support/sources.ts';

let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'codes-'));
});

afterAll(() => rm(directory, { recursive: true }));

const sources = readSources();

const STARTS = sectionsOf('Failed starts');
const WARNINGS = sectionsOf('Warnings at the start');
const DIAGNOSTICS = sectionsOf('Diagnostics');
const ERRORS = ['Errors over HTTP', 'Errors of sessions', 'Errors of the pet store'].flatMap(sectionsOf);
const FINDINGS = sectionsOf('Findings');
const VIOLATIONS = sectionsOf('Violations');
const ALL = [...STARTS, ...WARNINGS, ...DIAGNOSTICS, ...ERRORS, ...FINDINGS, ...VIOLATIONS];

const codesOf = (sections: readonly ExplainedCode[]): string[] => sections.map(({ code }) => code).sort();

describe('The page of all codes', () => {
  test('has each code once', () => {
    expect(codesOf(ALL)).toEqual([...new Set(codesOf(ALL))]);
  });

  test.each([
    ['SetupCode', STARTS],
    ['SetupWarning', WARNINGS],
    ['DiagnosticCode', DIAGNOSTICS],
    ['FindingCode', FINDINGS],
    ['CheckCode', VIOLATIONS],
  ])('has a section for every %s, and no other', (name, sections) => {
    expect(codesOf(sections)).toEqual(readUnion(name).sort());
  });

  test('has a section for every error over HTTP, and no other', () => {
    expect(codesOf(ERRORS)).toEqual([...new Set(readProblemCodes())].sort());
  });

  test.each(ALL)('says what $code means, with an example and a remedy', ({ text }) => {
    const paragraphs = text.split('\n\n');
    expect(paragraphs[0]).toMatch(/^[A-Z`][\s\S]*\.$/);
    expect(text).toMatch(/^```[a-z]+\n[\s\S]+^```$/m);
    expect(paragraphs.at(-1)).toMatch(/^Remedy: [a-z`][\s\S]*\.$/);
  });
});

/** Diagnostics that no document causes. */
const NO_DOCUMENT = new Set(['reference-unresolvable', 'conversion-failed']);

describe('The example of a diagnostic', () => {
  test.each(DIAGNOSTICS.filter(({ code }) => !NO_DOCUMENT.has(code)))('causes $code', async (section) => {
    const file = join(directory, `${section.code}.yaml`);
    await writeFile(file, toWhole(blockOf(section, 'yaml') ?? ''));
    const { document } = await createMock({ spec: file });
    expect([...new Set(document.notes.map(({ code }) => code))]).toEqual([section.code]);
  });

  test('causes reference-unresolvable', async () => {
    const fine = { get: { responses: { 200: { description: 'All' } } } };
    const spec = { openapi: '3.0.3', paths: { '/pets': { $ref: 'pets.yaml' }, '/orders': fine } };
    const { document } = await createMock({ spec });
    expect(document.notes.map(({ code }) => code)).toEqual(['reference-unresolvable']);
  });
});

describe('The example of an error', () => {
  test.each(ERRORS.filter(isRun))('is answered with $code', async (section) => {
    const { answers } = await runExample(section);
    const body = JSON.parse(answers.at(-1)?.body ?? '') as { code: string };
    expect(toPattern(body.code)).toBe(section.code);
  });

  test('is left out only where no single request causes it', () => {
    expect(codesOf(ERRORS.filter((section) => !isRun(section)))).toEqual([
      'body_too_large',
      'document_unreadable',
      'headers_too_large',
      'idempotency_key_running',
      'internal_error',
      'limit_reached',
      'request_timeout',
      'server_busy',
      'session_ended',
      'too_many_faults',
      'too_many_open_files',
      'too_many_snapshots',
      'too_many_streams',
    ]);
  });
});

describe('The example of a finding', () => {
  test.each(FINDINGS.filter(isRun))('has $code', async (section) => {
    const { answers, mock } = await runExample(section);
    const { headers } = answers.at(-1) as Answer;
    const found = JSON.parse(String(headers['x-mock-violations'] ?? '[]')) as { code: string }[];
    const warned = [String(headers['x-mock-warnings'] ?? ''), mock.journal.at(-1)?.notice ?? ''];
    const warnings = warned.flatMap((text) => [...text.matchAll(/\[([\w-]+)\]$/g)].map(([, code]) => code));
    expect([...found.map(({ code }) => code), ...warnings]).toContain(section.code);
  });

  test.each(FINDINGS.filter((section) => blockOf(section, 'yaml')?.startsWith('schema:')))(
    'is that of a value that breaks $code',
    async (section) => {
      const example = parse(blockOf(section, 'yaml') ?? '');
      const content = { 'application/json': { schema: example.schema } };
      const responses = { 200: { description: 'Done' } };
      const paths = { '/': { post: { requestBody: { required: true, content }, responses } } };
      const mock = await createMock({
        spec: { openapi: '3.1.0', info: { title: 'Small', version: '1' }, paths },
      });
      expect(mock.document.notes).toEqual([]);
      const headers = { 'Content-Type': 'application/json' };
      const body = JSON.stringify(example.body);
      const response = await mock.fetch('/', { method: 'POST', headers, body });
      const found = JSON.parse(response.headers.get('X-Mock-Violations') ?? '[]');
      const { location, message, code } = found.at(-1) ?? {};
      const finding = `${location} ${message}`;
      if (process.env.UPDATE) await updateFinding(section, finding);
      else expect([code, finding]).toEqual([section.code, example.finding]);
    },
  );

  test('is left out only where it would be too long, or is a guard', () => {
    const left = FINDINGS.filter((section) => !isRun(section) && blockOf(section, 'yaml') === undefined);
    expect(codesOf(left)).toEqual(['findings-omitted', 'nesting-deep', 'schema-mismatch']);
  });
});

/** Schemas that together have every keyword, and a value far from all of them. */
const RULES = FINDINGS.flatMap((section) => {
  const block = blockOf(section, 'yaml') ?? '';
  return block.startsWith('schema:') ? [parse(block).schema] : [];
});

describeInProcess('whatever is wrong with a request', (adapter) => {
  afterEach(closeAll);

  test('each finding has a code that the page explains', async () => {
    const schema = { type: 'object', properties: Object.fromEntries(RULES.map((rule, at) => [at, rule])) };
    const requestBody = { required: true, content: { 'application/json': { schema } } };
    const paths = { '/': { post: { requestBody, responses: { 200: { description: 'Done' } } } } };
    const spec = { openapi: '3.1.0', info: { title: 'Small', version: '1' }, paths };
    const { ask } = await adapter.open({ spec });
    const known = new Set(codesOf(FINDINGS));
    const value = fc.jsonValue({ maxDepth: 3 });
    const body = fc.oneof(
      fc.json(),
      fc.dictionary(fc.nat(RULES.length).map(String), value).map((members) => JSON.stringify(members)),
    );
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        const headers = { 'Content-Type': 'application/json' };
        const response = await ask('/', { method: 'POST', headers, body: text });
        expect([200, 422]).toContain(response.status);
        const found = JSON.parse(response.headers.get('X-Mock-Violations') ?? '[]') as { code: string }[];
        expect(found.map(({ code }) => code).filter((code) => !known.has(code))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

test('The example of example-invalid is what check finds', async () => {
  const section = VIOLATIONS.find(({ code }) => code === 'example-invalid') as ExplainedCode;
  const mock = await createMock({ spec: parse(toWhole(blockOf(section, 'yaml') ?? '')) });
  const { violations } = await mock.check();
  expect([...new Set(violations.map(({ code }) => code))]).toEqual(['example-invalid']);
});

const run = (...argv: string[]) => runCommand(argv);

describe('petstore-mock explain', () => {
  test.each(ALL.filter(({ code }) => !code.startsWith('<')))('explains $code', async ({ code }) => {
    const { out, ...rest } = await run('explain', code);
    expect(rest).toEqual({ code: 0, err: '' });
    expect(out).toMatch(new RegExp(`^${code}\n\n[A-Z"][\\s\\S]+\n\nRemedy: [\\s\\S]+\\.\n$`));
    expect(out).not.toMatch(/`|^#|\]\(/m);
  });

  test('prints the example as it is, indented', async () => {
    const { out } = await run('explain', 'minimum');
    expect(out).toBe(`minimum

The number is smaller than allowed, by the schema or by a rule of the pet store.

    schema: { type: integer, minimum: 1 }
    body: 0
    finding: body must be >= 1

Remedy: send a larger number.
`);
  });

  test.each([
    ['[reference-dangling]', 'reference-dangling', 'A "$ref" has no target.'],
    ['pet_not_found', 'pet_not_found', 'No entity has the key in the path.'],
    ['[shop_front_exists]', 'shop_front_exists', 'The key or the name of a new entity is taken.'],
    ['path_not_found', 'path_not_found', 'The document has no path like that.'],
    ['service_unavailable', 'service_unavailable', 'A status that a test asked for'],
    ['status_599', 'status_599', 'A status that a test asked for'],
    ['unauthorized', 'unauthorized', 'The operation needs credentials'],
  ])('takes %s as it is printed', async (word, title, sentence) => {
    const { code, out } = await run('explain', word);
    expect([code, out.startsWith(`${title}\n\n${sentence}`)]).toEqual([0, true]);
  });

  test.each([
    ['refrence-dangling', 'Unknown code refrence-dangling. Did you mean reference-dangling?'],
    ['Path_Not_Foun', 'Unknown code Path_Not_Foun. Did you mean path_not_found?'],
    ['nonsense', 'Unknown code nonsense. "petstore-mock explain" lists all codes.'],
    ['constructor', 'Unknown code constructor. "petstore-mock explain" lists all codes.'],
    ['_exists', 'Unknown code _exists. "petstore-mock explain" lists all codes.'],
    ['', 'Unknown code . "petstore-mock explain" lists all codes.'],
  ])('refuses %j, and says what to do', async (word, message) => {
    const { code, out, err } = await run('explain', word);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });

  test('lists all codes by group, each with its first sentence', async () => {
    const { code, out } = await run('explain');
    expect(code).toBe(0);
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toBe('Failed starts');
    expect(lines.filter((line) => line.startsWith('  ')).map((line) => line.split(/ +/)[1])).toEqual(
      ALL.map(({ code }) => code),
    );
    expect(lines.filter((line) => line.length > 130)).toEqual([]);
    expect(lines.filter((line) => line.startsWith('  ') && !/ {2}[A-Z"].*\.$/.test(line))).toEqual([]);
  });

  test('takes any text without a crash', () =>
    fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), async (word) => {
        const { code } = await run('explain', '--', word);
        expect([0, 2]).toContain(code);
      }),
      { numRuns: 300 },
    ));
});

function isRun(section: ExplainedCode): boolean {
  return blockOf(section, 'sh') !== undefined;
}

/** Runs the commands of an example, and compares each output with the page. `UPDATE=1` writes the page instead. */
async function runExample(section: ExplainedCode): Promise<{ answers: Answer[]; mock: Mock }> {
  const mock = await openExample(section);
  const { port } = await mock.listen({ port: 0 });
  const answers: Answer[] = [];
  const commands = toCommands(blockOf(section, 'sh') ?? '');
  const shown: string[] = [];
  for (const { line } of commands) {
    if (line.startsWith('petstore-mock')) shown.push('');
    else {
      const answer = await runCurl(line, port);
      answers.push(answer);
      shown.push(toShown(line, answer));
    }
  }
  await mock.close();
  const lines = commands.map(({ line }, index) => `$ ${line}\n${shown[index]}`).join('');
  if (process.env.UPDATE) await updateBlock(blockOf(section, 'sh') ?? '', lines);
  else expect(blockOf(section, 'sh')).toBe(lines);
  return { answers, mock };
}

async function updateFinding(section: ExplainedCode, finding: string): Promise<void> {
  const block = blockOf(section, 'yaml') ?? '';
  const line = stringify({ finding }, { lineWidth: 0 });
  await updateBlock(
    block,
    block.replace(/^finding: .*\n/m, () => line),
  );
}

/** `pet_not_found` → `<resource>_not_found`, for the resources of the examples. */
function toPattern(code: string): string {
  if (code === 'service_unavailable') return '<status>';
  return code.replace(/^(pet|team)(?=_not_found$|_exists$)/, '<resource>');
}

/** The members of a union of texts, with those of the unions in it. */
function readUnion(name: string): string[] {
  for (const { tree } of sources) {
    for (const statement of tree.statements) {
      if (ts.isTypeAliasDeclaration(statement) && statement.name.text === name)
        return readTexts(statement.type);
    }
  }
  throw new Error(`There is no type ${name}`);
}

function readTexts(type: ts.TypeNode): string[] {
  if (ts.isUnionTypeNode(type)) return type.types.flatMap(readTexts);
  if (ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal)) return [type.literal.text];
  if (ts.isTypeReferenceNode(type)) return readUnion(type.typeName.getText());
  // `(typeof NAMES)[number]`
  const list = /typeof (\w+)/.exec(type.getText())?.[1] ?? '';
  return readList(list);
}

function readList(name: string): string[] {
  const text = sources.map(
    ({ text }) => new RegExp(`^const ${name} = \\[([\\s\\S]*?)\\]`, 'm').exec(text)?.[1],
  );
  return [...(text.join('') ?? '').matchAll(/'([^']+)'/g)].map(([, each = '']) => each);
}

/** The codes of all problems in the sources: the texts that follow a status, and those that a decoder gets. */
function readProblemCodes(): string[] {
  return sources.flatMap(({ nodes }) =>
    nodes.flatMap((node): string[] => {
      const parts = ts.isArrayLiteralExpression(node) ? node.elements : toArguments(node);
      return (parts ?? []).flatMap((part, index) => {
        const before = parts?.[index - 1];
        const follows = before && /^[45]\d\d$/.test(before.getText());
        const decoded =
          ts.isCallExpression(node) && node.expression.getText() === 'decodeText' && index === 1;
        return follows || decoded ? toCode(part) : [];
      });
    }),
  );
}

function toArguments(node: ts.Node): readonly ts.Expression[] | undefined {
  return ts.isCallExpression(node) || ts.isNewExpression(node) ? node.arguments : undefined;
}

/** `${singular}_exists` → `<resource>_exists` */
function toCode(node: ts.Node): string[] {
  if (ts.isTemplateExpression(node)) return [`<resource>${node.templateSpans.at(-1)?.literal.text}`];
  if (!ts.isStringLiteral(node) || !/^[a-z_]+$/.test(node.text)) return [];
  return [node.text === 'not_found' ? '<status>' : node.text];
}

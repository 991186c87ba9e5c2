import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

/** A file of `src/` in the order; a leaf imports nothing of ours. */
interface Floor {
  readonly file: string;
  readonly leaf: boolean;
}

/**
 * `src/` from top to bottom: an import only ever goes down. `◦` marks a leaf. A folder holds the parts of the file of its name.
 */
const ORDER = toOrder(`
  cli.ts
  cli/config.ts
  cli/announce.ts
  cli/log.ts
  cli/details.ts
  cli/check.ts
  cli/report.ts
  cli/flags.ts
  cli/help.ts
  cli/watch.ts ◦
  cli/table.ts ◦
  index.ts
  mock.ts
  check.ts
  check/life-cycle.ts
  check/operation.ts
  check/keys.ts
  check/questions.ts
  check/probe.ts
  check/judge.ts
  check/listing.ts
  check/requests.ts
  check/samples.ts
  check/credentials.ts
  check/socket.ts
  check/item-path.ts
  check/compare.ts
  check/answer.ts
  check/directed.ts
  check/bodies.ts
  check/parameters.ts
  check/curl.ts
  fetch.ts ◦
  journal.ts ◦
  http.ts ◦
  http/batch.ts ◦
  http/connections.ts ◦
  http/cors.ts ◦
  info.ts
  world.ts
  world/options.ts
  service/read-options.ts
  service/options.ts
  service/option.ts
  service/object-readers.ts
  service/option-readers.ts
  service/settings.ts
  service/service-options.ts
  service/find-nearest.ts ◦
  exchange.ts
  inherit.ts
  initial-state.ts
  handle.ts
  handle/bind.ts
  handle/kept.ts
  petstore.ts
  petstore/state.ts
  petstore/stock.ts
  actions.ts
  actions/list.ts
  actions/change.ts
  actions/new-key.ts
  actions/context.ts
  actions/plan.ts
  actions/view.ts
  actions/one-way.ts
  actions/defaults.ts
  actions/inside.ts
  actions/envelope.ts
  actions/paging.ts
  actions/list-parameters.ts
  actions/selections.ts
  actions/query.ts
  actions/merge-patch.ts ◦
  seeding.ts
  seeding/refine.ts
  seeding/drafts.ts
  seeding/leaves.ts
  seeding/references.ts
  seeding/entity-examples.ts
  seeding/realistic.ts
  seeding/realistic-rules.ts
  seeding/field.ts ◦
  fixtures.ts
  negotiate.ts
  errors.ts
  errors/fill.ts
  errors/list.ts
  errors/pick.ts
  errors/meaning.ts
  security.ts
  security/credentials.ts
  faults.ts
  lifecycle.ts
  lifecycle/facts.ts
  timestamp.ts ◦
  prism.ts
  prism/operation.ts
  validator.ts
  validator/body.ts
  validator/form.ts
  validator/xml.ts
  respond.ts
  respond/declared-headers.ts
  respond/json.ts ◦
  xml.ts
  resources.ts
  resources/actions.ts
  resources/overrides.ts
  resources/drafts.ts
  resources/parents.ts
  resources/scopes.ts
  resources/model.ts
  resources/paths.ts
  resources/shapes.ts
  resources/text-keys.ts
  resources/keys.ts
  resources/words.ts
  operations.ts
  operations/responses.ts
  operations/parameters.ts
  operations/parameter-styles.ts
  operations/parameter-source.ts ◦
  operations/router.ts
  field-tree.ts
  exact-json.ts
  exact.ts
  shape.ts
  schemas.ts
  exact-schema.ts
  own-document.ts
  document.ts
  document/read.ts
  document/security.ts
  document/convert.ts
  document/prepare.ts
  document/select.ts
  document/mend-operations.ts
  document/mend.ts
  document/mend-schema.ts
  document/keywords.ts
  document/mend-reference.ts
  document/unit.ts
  document/shapes.ts
  document/files.ts
  document/walk.ts
  document/check.ts
  document/note.ts
  source.ts
  source/quick.ts
  media-type.ts ◦
  prefer.ts ◦
  headers.ts ◦
  snake-case.ts ◦
  schema.ts ◦
  generate.ts
  generate/narrow.ts
  generate/formats.ts ◦
  store.ts
  store/scopes.ts
  store/collection.ts
  store/entity.ts ◦
  store/row.ts ◦
  message.ts ◦
  problem.ts ◦
  number.ts ◦
`);

/**
 * What a leaf may have all the same: the types of plain requests and responses, which import nothing themselves, and a leaf
 * that was split off it.
 */
const LEAF_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  'fetch.ts': ['type message.ts'],
  'http.ts': ['type message.ts', 'static http/batch.ts', 'static http/connections.ts'],
  'http/cors.ts': ['type message.ts'],
  'store/collection.ts': ['static store/row.ts'],
};

/** Packages that only some files may know. */
const KEEPERS: Readonly<Record<string, RegExp>> = {
  '@stoplight/prism-http': /^prism(\/.+)?\.ts$/,
  'fp-ts': /^prism(\/.+)?\.ts$/,
  'json-schema-faker': /^generate\.ts$/,
  '@stoplight/json-schema-sampler': /^generate\.ts$/,
  'js-yaml': /^source\/.+\.ts$/,
  '@faker-js/faker': /^seeding\/realistic(-.+)?\.ts$/,
};

/** Packages that take long to load, so that nothing may load them before they are needed. */
const LATE_PACKAGES = [
  '@stoplight/prism-http',
  '@stoplight/json-schema-sampler',
  'chokidar',
  '@faker-js/faker',
  'ajv',
  'js-yaml',
  'yaml',
];

const LINE_LIMIT = 250;

const sources = readSources('../src/');
const tests = readSources('../test/');

describe('The files of src/', () => {
  test('each have one place in the order', () => {
    const files = ORDER.map(({ file }) => file);
    expect([...files].sort()).toEqual([...sources.keys()].sort());
    expect(new Set(files).size).toBe(files.length);
  });

  test('import only downwards, and leaves nothing of ours', () => {
    expect(findWrongImports(sources, ORDER)).toEqual([]);
  });

  test.each([...sources])(`are at most ${LINE_LIMIT} lines long: %s`, (_, text) => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(LINE_LIMIT);
  });

  test.each(Object.entries(KEEPERS))('leave %s to its keeper', (name, keeper) => {
    const users = [...sources].filter(([, text]) => readImports(text).some(isOf(name))).map(([file]) => file);
    expect(users.filter((file) => !keeper.test(file))).toEqual([]);
    expect(users, 'nothing uses the package any more').not.toEqual([]);
  });

  test.each(LATE_PACKAGES)('load %s on first need', (name) => {
    const imports = [...sources.values()].flatMap(readImports).filter(isOf(name));
    expect(imports.filter(({ kind }) => kind === 'static')).toEqual([]);
    expect(imports.some(({ kind }) => kind === 'dynamic')).toBe(true);
  });

  test('leave the terminal to cli.ts', () => {
    const users = [...sources].filter(([, text]) => findTerminalUses(text).length > 0).map(([file]) => file);
    expect(users).toEqual(['cli.ts']);
  });

  test.each([...sources].filter(([file]) => !isPetstore(file)))('know no pet: %s', (_, text) => {
    expect(findPetstoreNames(text)).toEqual([]);
  });

  test('know pets in petstore.ts', () => {
    const names = [...sources]
      .filter(([file]) => isPetstore(file))
      .flatMap(([, text]) => findPetstoreNames(text));
    expect(names).toEqual(expect.arrayContaining(['pets', 'categories', 'inventory', 'getPetProfile']));
  });

  test('that leaves may import are leaves, and made of types alone where only types may be imported', () => {
    for (const [kind = '', file = ''] of Object.values(LEAF_IMPORTS)
      .flat()
      .map((each) => each.split(' '))) {
      expect(ORDER.find((floor) => floor.file === file)?.leaf).toBe(true);
      const { statements } = toTree(sources.get(file) ?? '');
      const values = statements.filter(
        (statement) => !ts.isInterfaceDeclaration(statement) && !ts.isTypeAliasDeclaration(statement),
      );
      expect(values.length === 0).toBe(kind === 'type');
    }
  });
});

describe('The tests', () => {
  test.each([...tests])('are all run: %s', (_, text) => {
    expect(findSkips(text)).toEqual([]);
  });
});

describe('The check of imports', () => {
  const order = toOrder('top.ts\n middle.ts\n other.ts\n leaf.ts ◦\n http.ts ◦\n message.ts ◦');
  const files = {
    'top.ts': "import { a } from './middle.ts'; import { b } from './leaf.ts'; import fs from 'node:fs';",
    'middle.ts': "export const load = () => import('./other.ts');",
    'other.ts': "export * from './leaf.ts';",
    'leaf.ts': "import { readFileSync } from 'node:fs';",
    'http.ts': "import type { MockRequest } from './message.ts';",
    'message.ts': 'export interface MockRequest {}',
  };

  test('passes imports that go down', () => {
    expect(findWrongImports(new Map(Object.entries(files)), order)).toEqual([]);
  });

  const cases: [what: string, file: keyof typeof files, text: string, finding: string][] = [
    ['an import', 'middle.ts', "import { a } from './top.ts';", 'middle.ts: ./top.ts is above it'],
    [
      'a type-only import',
      'middle.ts',
      "import type { A } from './top.ts';",
      'middle.ts: ./top.ts is above it',
    ],
    [
      'a type among values',
      'other.ts',
      "import { type A } from './top.ts';",
      'other.ts: ./top.ts is above it',
    ],
    ['an import for its effects', 'middle.ts', "import './top.ts';", 'middle.ts: ./top.ts is above it'],
    ['an export from', 'middle.ts', "export { a } from './top.ts';", 'middle.ts: ./top.ts is above it'],
    ['a dynamic import', 'other.ts', "() => import('./top.ts');", 'other.ts: ./top.ts is above it'],
    ['an import type', 'other.ts', "type A = import('./top.ts').A;", 'other.ts: ./top.ts is above it'],
    ['an import of itself', 'other.ts', "import './other.ts';", 'other.ts: ./other.ts is above it'],
    ['an unlisted file', 'other.ts', "import './new.ts';", 'other.ts: ./new.ts is not in the order'],
    ['a computed import', 'other.ts', 'import(name);', 'other.ts: name cannot be checked'],
    [
      'a leaf that imports',
      'leaf.ts',
      "import './message.ts';",
      'leaf.ts: it is a leaf and imports ./message.ts',
    ],
    [
      'a leaf that imports a type of another leaf',
      'leaf.ts',
      "import type { MockRequest } from './message.ts';",
      'leaf.ts: it is a leaf and imports ./message.ts',
    ],
    [
      'values from the file of types',
      'http.ts',
      "import { MockRequest } from './message.ts';",
      'http.ts: it is a leaf and imports ./message.ts',
    ],
  ];

  test.each(cases)('refuses %s', (_, file, text, finding) => {
    expect(findWrongImports(new Map(Object.entries({ ...files, [file]: text })), order)).toEqual([finding]);
  });

  test.each(ORDER.slice(1))('would refuse an import of cli.ts by $file', ({ file }) => {
    const name = `${posix.relative(posix.dirname(file), '.') || '.'}/cli.ts`;
    const changed = new Map([[file, `${sources.get(file)}\nimport '${name}';`]]);
    expect(findWrongImports(changed, ORDER)).toEqual([`${file}: ${name} is above it`]);
  });

  test('refuses a cycle, however it is closed', () => {
    const circle = { ...files, 'other.ts': "import './leaf.ts'; import type { A } from './middle.ts';" };
    expect(findWrongImports(new Map(Object.entries(circle)), order)).toEqual([
      'other.ts: ./middle.ts is above it',
    ]);
  });
});

describe('The other checks', () => {
  const petNames: [text: string, names: string[]][] = [
    ["const known = ['pets', 'orders'];", ['pets']],
    ["find('GET /store/inventory');", ['GET /store/inventory']],
    ['find(`/pets/$' + '{id}`);', ['/pets/']],
    ['const petId = entity.categoryId;', ['petId', 'categoryId']],
    ["actions.get('placeOrder');", ['placeOrder']],
    ['/^pets?$/.test(name);', ['/^pets?$/']],
    ["// pets\nlog('Serves the pet store, like getPet=503');", []],
    ["import { petstoreRules } from './petstore.ts';", []],
    ["const prefix = 'PETSTORE_MOCK_'; const competition = 'carpet';", []],
  ];

  test.each(petNames)('find the names of the pet store in %s', (text, names) => {
    expect(findPetstoreNames(text)).toEqual(names);
  });

  const terminalUses: [text: string, uses: string[]][] = [
    ["console.log('here');", ['console']],
    ['process.exit(1);', ['process']],
    ["import { stdout } from 'node:process';", ['node:process']],
    ["this.process('a.process'); options.console;", []],
  ];

  test.each(terminalUses)('find what touches the terminal in %s', (text, uses) => {
    expect(findTerminalUses(text)).toEqual(uses);
  });

  const skips: [text: string, skips: string[]][] = [
    ["test.skip('later', () => {});", ['test.skip']],
    ["describe.each(cases).only('this', () => {});", ['describe.each(cases).only']],
    ["it.todo('this too');", ['it.todo']],
    ["test.skipIf(windows)('there', () => {});", ['test.skipIf']],
    ["xdescribe('it', () => {});", ['xdescribe']],
    ["test('runs', ({ skip }) => skip());", ['skip']],
    ["test.each(cases)('runs', () => { list.skip(1); });", []],
  ];

  test.each(skips)('find what is not run in %s', (text, found) => {
    expect(findSkips(text)).toEqual(found);
  });
});

/** A sentence for every import that does not go down, or that a leaf must not have. */
function findWrongImports(files: ReadonlyMap<string, string>, order: readonly Floor[]): string[] {
  return order.flatMap(({ file, leaf }, place) => {
    const imports = readImports(files.get(file) ?? '').filter(
      ({ name, kind }) => name.startsWith('.') || !kind,
    );
    return imports.flatMap(({ name, kind }) => {
      const path = posix.join(posix.dirname(file), name);
      const target = order.findIndex((other) => other.file === path);
      if (!kind) return [`${file}: ${name} cannot be checked`];
      if (target < 0) return [`${file}: ${name} is not in the order`];
      if (target <= place) return [`${file}: ${name} is above it`];
      const allowed = LEAF_IMPORTS[file]?.includes(`${kind} ${path}`);
      return leaf && !allowed ? [`${file}: it is a leaf and imports ${name}`] : [];
    });
  });
}

interface Import {
  readonly name: string;
  /** `undefined` for a dynamic import of what is computed. */
  readonly kind: 'static' | 'type' | 'dynamic' | undefined;
}

/** Everything that a file imports, in whatever way. */
function readImports(text: string): Import[] {
  return walk(toTree(text)).flatMap((node) => toStaticImport(node) ?? toDynamicImport(node) ?? []);
}

function toStaticImport(node: ts.Node): Import | undefined {
  if (ts.isImportDeclaration(node)) return toImport(node.moduleSpecifier, node.importClause?.isTypeOnly);
  if (ts.isExportDeclaration(node)) {
    return node.moduleSpecifier && toImport(node.moduleSpecifier, node.isTypeOnly);
  }
  if (ts.isExternalModuleReference(node)) return toImport(node.expression);
  return ts.isImportTypeNode(node) ? toImport(toLiteral(node.argument), true) : undefined;
}

function toDynamicImport(node: ts.Node): Import | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  const {
    expression,
    arguments: [name],
  } = node;
  const imports = expression.kind === ts.SyntaxKind.ImportKeyword || expression.getText() === 'require';
  if (!imports) return undefined;
  return name && ts.isStringLiteralLike(name)
    ? { name: name.text, kind: 'dynamic' }
    : { name: name?.getText() ?? '', kind: undefined };
}

function toImport(name: ts.Node, isType = false): Import {
  return {
    name: ts.isStringLiteralLike(name) ? name.text : name.getText(),
    kind: isType ? 'type' : 'static',
  };
}

function toLiteral(node: ts.Node): ts.Node {
  return ts.isLiteralTypeNode(node) ? node.literal : node;
}

/** Where a file reaches for the process or the console, by name or by import. */
function findTerminalUses(text: string): string[] {
  const imported = readImports(text).map(({ name }) => name);
  const named = walk(toTree(text)).filter(
    (node) => ts.isIdentifier(node) && ['process', 'console'].includes(node.text) && !isMember(node),
  );
  return [
    ...imported.filter((name) => /^(node:)?(process|console)$/.test(name)),
    ...named.map((node) => (node as ts.Identifier).text),
  ];
}

const PET_WORDS = new Set(['pet', 'pets', 'category', 'categories', 'inventory', 'inventories']);
const operationIds = new Set(readOperationIds());

/**
 * The names in a file that belong to the pet store: identifiers, texts that a program compares (one word, a path or a
 * label such as `GET /pets`) and patterns. Sentences for people are no names, and comments are not looked at.
 */
function findPetstoreNames(text: string): string[] {
  const names = walk(toTree(text)).flatMap((node): string[] => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) return [node.text];
    if (ts.isRegularExpressionLiteral(node)) return [node.text];
    if (
      !ts.isStringLiteralLike(node) &&
      !ts.isTemplateHead(node) &&
      !ts.isTemplateMiddleOrTemplateTail(node)
    ) {
      return [];
    }
    return /\s/.test(node.text) && !/^[A-Z]+ \//.test(node.text) ? [] : [node.text];
  });
  return names.filter((name) => operationIds.has(name) || toWords(name).some((word) => PET_WORDS.has(word)));
}

/** `petId` → `pet`, `id` */
function toWords(name: string): string[] {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[^A-Za-z]+/);
  return words.map((word) => word.toLowerCase());
}

const SKIPS = new Set(['skip', 'only', 'todo', 'skipIf', 'runIf', 'fails']);

/** Where a test file leaves tests out. */
function findSkips(text: string): string[] {
  const tree = toTree(text);
  return walk(tree).flatMap((node) => {
    if (ts.isIdentifier(node) && /^[xf](it|test|describe)$/.test(node.text)) return [node.text];
    if (ts.isBindingElement(node) && ts.isIdentifier(node.name) && SKIPS.has(node.name.text)) {
      return [node.name.text];
    }
    const skips = ts.isPropertyAccessExpression(node) && SKIPS.has(node.name.text);
    const expression = node.getText(tree);
    return skips && /^(it|test|describe|suite|bench|context)\b/.test(expression) ? [expression] : [];
  });
}

function toOrder(list: string): Floor[] {
  const lines = list.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .map((line) => ({ file: line.replace(' ◦', ''), leaf: line.endsWith(' ◦') }));
}

function isPetstore(file: string): boolean {
  return /^petstore(\/.+)?\.ts$/.test(file);
}

/** Whether an import is of a package or of something in it. */
function isOf(name: string): (imported: Import) => boolean {
  return (imported) => imported.name === name || imported.name.startsWith(`${name}/`);
}

function isMember(node: ts.Node): boolean {
  return ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;
}

function readSources(directory: string): ReadonlyMap<string, string> {
  const root = fileURLToPath(new URL(directory, import.meta.url));
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  return new Map(files.sort().map((file) => [file, readFileSync(`${root}/${file}`, 'utf8')]));
}

function readOperationIds(): string[] {
  const file = new URL('../spec/openapi.yaml', import.meta.url);
  const document: { paths: Record<string, Record<string, { operationId?: string }>> } = parse(
    readFileSync(file, 'utf8'),
  );
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  return operations.flatMap(({ operationId }) => operationId ?? []);
}

function toTree(text: string): ts.SourceFile {
  return ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
}

/** A node and everything in it, in the order of the text. */
function walk(node: ts.Node): ts.Node[] {
  const nodes = [node];
  ts.forEachChild(node, (child) => {
    nodes.push(...walk(child));
  });
  return nodes;
}

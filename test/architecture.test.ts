import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

/** The folders of `src/`, top to bottom, with the files beside them. An import goes down this list or stays in its folder. */
const FOLDERS: readonly string[] = [
  ...['cli', 'runners', 'index', 'mock', 'petstore', 'core', 'answer', 'state', 'model', 'document', 'wire'],
  ...['schema', 'base', 'package-files'],
];

/**
 * The folders of several rooms. A room is a folder whose face is the file of its name (`state/store/store.ts`), or a single file
 * (`base/cache.ts`). The other folders are one room.
 */
const FOLDERS_OF_ROOMS: readonly string[] = ['mock', 'core', 'answer', 'state', 'model', 'wire', 'base'];

/** Packages that only one room may know. */
const KEEPERS: Readonly<Record<string, string>> = {
  '@faker-js/faker': 'state/seeding',
  '@playwright/test': 'runners',
  '@stoplight/http-spec': 'document',
  '@stoplight/json-schema-sampler': 'schema/generate',
  '@stoplight/prism-http': 'mock/check',
  ajv: 'schema',
  'ajv-formats': 'schema',
  chokidar: 'cli',
  commander: 'cli',
  'cross-spawn': 'cli',
  'fp-ts': 'mock/check',
  'js-yaml': 'document',
  'json-schema-faker': 'schema/generate',
  msw: 'runners',
  negotiator: 'wire/codecs',
  pluralize: 'model/resources',
  rou3: 'model/operations',
  saxes: 'wire/codecs',
  vitest: 'runners',
  yaml: 'document',
};

/** Packages that take long to load, so that nothing may load them before they are needed. */
const LATE_PACKAGES = [
  '@stoplight/prism-http',
  '@stoplight/json-schema-sampler',
  'chokidar',
  '@faker-js/faker',
  'ajv',
  'ajv-formats',
  'js-yaml',
  'yaml',
];

const LINE_LIMIT = 250;

const sources = readSources('../src/');
const imports = new Map([...sources].map(([file, text]) => [file, readImports(text)]));

describe('The house', () => {
  test('has only the folders that are listed', () => {
    expect([...new Set([...sources.keys()].map(toFolder))].sort()).toEqual([...FOLDERS].sort());
  });

  test('is imported downwards', () => {
    expect(findClimbs(imports)).toEqual([]);
  });

  test('is entered through the faces of its rooms', () => {
    expect(findSideDoors(imports)).toEqual([]);
  });

  test('has no circle of files, nor one of rooms', () => {
    expect(findCircles(toFileGraph(imports))).toEqual([]);
    expect(findCircles(toRoomGraph(imports))).toEqual([]);
  });

  test('knows pets in one room alone', () => {
    const names = (inside: boolean) =>
      [...sources]
        .filter(([file]) => (toRoom(file) === 'petstore') === inside)
        .flatMap(([file, text]) => findPetstoreNames(text).map((name) => `${file}: ${name}`));
    expect(names(false)).toEqual([]);
    expect(names(true).join()).toMatch(/pets.*getPetProfile/);
  });
});

describe('The files of src/', () => {
  test(`are at most ${LINE_LIMIT} lines long`, () => {
    const long = [...sources].filter(([, text]) => text.trimEnd().split('\n').length > LINE_LIMIT);
    expect(long.map(([file]) => file)).toEqual([]);
  });

  test('leave each package to the room that keeps it', () => {
    const users = Object.keys(KEEPERS).map((name) => [
      name,
      [...new Set([...imports].filter(([, own]) => own.some(isOf(name))).map(([file]) => toRoom(file)))],
    ]);
    expect(users).toEqual(Object.entries(KEEPERS).map(([name, room]) => [name, [room]]));
  });

  test('load slow packages when they are first needed', () => {
    const kinds = LATE_PACKAGES.map((name) => [
      name,
      [
        ...new Set(
          [...imports.values()]
            .flat()
            .filter(isOf(name))
            .map(({ kind }) => kind),
        ),
      ].filter((kind) => kind !== 'type'),
    ]);
    expect(kinds).toEqual(LATE_PACKAGES.map((name) => [name, ['dynamic']]));
  });

  test('leave the terminal to cli/', () => {
    const users = [...sources].filter(([, text]) => findTerminalUses(text).length > 0).map(([file]) => file);
    // A mock in the process of a test has no other way to know that `exec` runs it.
    expect(users).toEqual(['cli/open-browser.ts', 'cli/terminal.ts', 'mock/coverage/shards.ts']);
  });

  test('leave dates to base/clock.ts', () => {
    const users = [...sources].filter(([, text]) => /\bnew Date\(/.test(text)).map(([file]) => file);
    expect(users).toEqual(['base/clock.ts']);
  });
});

describe('The tests', () => {
  test('are all run', () => {
    const skips = [...readSources('../test/')].flatMap(([file, text]) =>
      findSkips(text).map((skip) => `${file}: ${skip}`),
    );
    expect(skips).toEqual([]);
  });
});

describe('The checks of imports', () => {
  const HOUSE = {
    'cli/cli.ts': "import { a } from '../state/store/store.ts'; import fs from 'node:fs';",
    'state/store/store.ts': "export { a } from './tree.ts';",
    'state/store/tree.ts': "import type { B } from '../../base/problem.ts';",
    'state/seeding/seeding.ts': "import { a } from '../store/store.ts';",
    'base/problem.ts': 'export interface B {}',
  };
  const withFile = (file: string, text: string) =>
    new Map(Object.entries({ ...HOUSE, [file]: text }).map(([name, own]) => [name, readImports(own)]));
  const findAllCircles = (house: Imports) => [
    findCircles(toFileGraph(house)),
    findCircles(toRoomGraph(house)),
  ];

  test('pass a sound house', () => {
    const house = withFile('base/problem.ts', HOUSE['base/problem.ts']);
    expect([findClimbs(house), findSideDoors(house), ...findAllCircles(house)]).toEqual([[], [], [], []]);
  });

  test.each([
    ['an import', "import { a } from '../../cli/cli.ts';"],
    ['a type-only import', "import type { A } from '../../cli/cli.ts';"],
    ['a type among values', "import { type A } from '../../cli/cli.ts';"],
    ['an import for its effects', "import '../../cli/cli.ts';"],
    ['an export from', "export { a } from '../../cli/cli.ts';"],
    ['a dynamic import', "() => import('../../cli/cli.ts');"],
    ['an import type', "type A = import('../../cli/cli.ts').A;"],
  ])('find %s that climbs', (_, text) => {
    const climbs = findClimbs(withFile('state/store/tree.ts', text));
    expect(climbs).toEqual(['state/store/tree.ts: ../../cli/cli.ts']);
  });

  test('find a computed import', () => {
    expect(findClimbs(withFile('state/store/tree.ts', 'import(name);'))).toEqual([
      'state/store/tree.ts: name',
    ]);
  });

  test.each([
    ['from another folder', 'cli/cli.ts', '../state/store/tree.ts'],
    ['from a room beside it', 'state/seeding/seeding.ts', '../store/tree.ts'],
  ])('find a side door %s', (_, file, target) => {
    expect(findSideDoors(withFile(file, `import { a } from '${target}';`))).toEqual([`${file}: ${target}`]);
  });

  test('find a circle inside a room, closed by a type', () => {
    const house = withFile('state/store/tree.ts', "import type { A } from './store.ts';");
    expect(findAllCircles(house)).toEqual([['state/store/store.ts', 'state/store/tree.ts'], []]);
  });

  test('find a circle of rooms whose files lead in none', () => {
    const house = withFile('state/store/tree.ts', "import { b } from '../seeding/seeding.ts';");
    const files = toFileGraph(house);
    files.delete('state/store/store.ts');
    expect([findCircles(files), findCircles(toRoomGraph(house))]).toEqual([
      [],
      ['state/store', 'state/seeding'],
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

/** `state/store/tree.ts` → `state`, `index.ts` → `index` */
function toFolder(file: string): string {
  return file.split('/')[0]?.replace(/\.ts$/, '') ?? '';
}

/** `state/store/tree.ts` → `state/store`, `base/cache.ts` → `base/cache`, `cli/log.ts` → `cli` */
function toRoom(file: string): string {
  const folder = posix.dirname(file);
  return folder === '.' || FOLDERS_OF_ROOMS.includes(folder) ? file.replace(/\.ts$/, '') : folder;
}

type Imports = ReadonlyMap<string, readonly Import[]>;

/** The files of ours that a file imports, as they are written and as they are called; a computed import has no file. */
function toTargets(file: string, own: readonly Import[]): (readonly [name: string, target: string])[] {
  return own
    .filter(({ name, kind }) => kind === undefined || name.startsWith('.'))
    .map(({ name, kind }) => [name, kind ? posix.join(posix.dirname(file), name) : '']);
}

/** Imports that leave their folder and don't go down. */
function findClimbs(house: Imports): string[] {
  return [...house].flatMap(([file, own]) =>
    toTargets(file, own)
      .filter(([, target]) => {
        const [from, to] = [toFolder(file), toFolder(target)];
        return from !== to && (!house.has(target) || FOLDERS.indexOf(to) <= FOLDERS.indexOf(from));
      })
      .map(([name]) => `${file}: ${name}`),
  );
}

/** Imports of another room that do not go through its face. */
function findSideDoors(house: Imports): string[] {
  return [...house].flatMap(([file, own]) =>
    toTargets(file, own)
      .filter(([, target]) => {
        const room = toRoom(target);
        return (
          room !== toRoom(file) && ![`${room}.ts`, `${room}/${posix.basename(room)}.ts`].includes(target)
        );
      })
      .map(([name]) => `${file}: ${name}`),
  );
}

type Graph = Map<string, readonly string[]>;

function toFileGraph(house: Imports): Graph {
  return new Map([...house].map(([file, own]) => [file, toTargets(file, own).map(([, target]) => target)]));
}

function toRoomGraph(house: Imports): Graph {
  const rooms = new Map<string, string[]>();
  for (const [file, targets] of toFileGraph(house)) {
    const room = toRoom(file);
    const others = targets.map(toRoom).filter((other) => other !== room);
    rooms.set(room, [...(rooms.get(room) ?? []), ...others]);
  }
  return rooms;
}

/** The nodes that lead back to themselves: what is left when those that lead nowhere, or to which nothing leads, are taken away. */
function findCircles(graph: Graph): string[] {
  const left = new Map(graph);
  for (let size = -1; size !== left.size; ) {
    size = left.size;
    const reached = new Set([...left.values()].flat());
    for (const [node, targets] of left)
      if (!reached.has(node) || !targets.some((target) => left.has(target))) left.delete(node);
  }
  return [...left.keys()];
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

/** Whether an import is of a package or of something in it. */
function isOf(name: string): (imported: Import) => boolean {
  return (imported) => imported.name === name || imported.name.startsWith(`${name}/`);
}

function isMember(node: ts.Node): boolean {
  const { parent } = node;
  return (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) && parent.name === node;
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

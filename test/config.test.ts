import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SetupError } from '../src/base/problem.ts';
import { type Config, loadConfig } from '../src/cli/config.ts';
import { toVariable } from '../src/cli/variables.ts';
import { COMMAND_OPTIONS } from '../src/core/service/option-lists.ts';
import type { Settings } from '../src/core/service/settings.ts';

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'config-'));
});

afterEach(async () => {
  await rm(cwd, { recursive: true });
});

interface Sources {
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Files below the working directory; a value that is no text is written as JSON. */
  readonly files?: Readonly<Record<string, unknown>>;
}

const JSON_FILE = 'petstore-mock.config.json';
const YAML_FILE = 'petstore-mock.config.yaml';

async function load({ flags = {}, env = {}, files = {} }: Sources): Promise<Config> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(cwd, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return loadConfig({ flags, env, cwd });
}

async function settingsOf(sources: Sources): Promise<Settings> {
  return (await load(sources)).settings;
}

async function refusalOf(sources: Sources): Promise<SetupError> {
  const error: unknown = await load(sources).then(
    ({ settings }) => settings,
    (reason: unknown) => reason,
  );
  if (error instanceof SetupError) return error;
  throw new Error(`Not refused: ${JSON.stringify(error)}`);
}

const DEFAULTS: Settings = {
  port: 4010,
  host: '127.0.0.1',
  allowRemoteRefs: false,
  auth: true,
  strictAuth: false,
  strict: false,
  empty: false,
  stateless: false,
  dynamic: false,
  resources: {},
  seed: 1,
  watch: false,
  open: false,
  delay: 0,
  errors: [],
  faults: [],
  rateLimit: [],
  sunset: 'warn',
  maxSessions: 10_000,
  memory: 256,
  report: [],
  minCoverage: 0,
  journal: 250,
  control: true,
  controlPath: '/__mock',
  allowedHosts: [],
  allowControlFrom: [],
  cors: true,
  corsOrigin: ['loopback'],
  logLevel: 'info',
  logFormat: 'pretty',
  color: true,
  lifecycle: {},
};

describe('Without any source', () => {
  test('every option has its default', async () => {
    expect(await load({})).toEqual({ settings: DEFAULTS, file: undefined, warnings: [] });
  });

  test('the environment of other programs is left alone', async () => {
    expect(await settingsOf({ env: { PORT: 'x', PETSTORE: '1', petstore_mock_port: '1' } })).toEqual(
      DEFAULTS,
    );
  });
});

/** Each option: in the file, in the environment, as a flag, and what each of them means. */
const precedence: [keyof Settings, [unknown, unknown], [string, unknown], [unknown, unknown]][] = [
  ['port', [1, 1], ['2', 2], ['3', 3]],
  ['host', ['a', 'a'], ['b', 'b'], ['c', 'c']],
  ['open', [true, true], ['0', false], [true, true]],
  ['spec', ['http://a/', 'http://a/'], ['b', 'b'], ['c', 'c']],
  ['allowRemoteRefs', [true, true], ['false', false], [true, true]],
  ['auth', [false, false], ['true', true], [false, false]],
  ['strictAuth', [true, true], ['false', false], [true, true]],
  ['strict', [true, true], ['false', false], [true, true]],
  ['fixtures', ['/a', '/a'], ['b', 'b'], ['c', 'c']],
  ['empty', [true, true], ['false', false], [true, true]],
  ['stateless', [['a'], ['a']], ['b, c', ['b', 'c']], [true, true]],
  ['dynamic', [true, true], ['false', false], [true, true]],
  ['seed', [1, 1], ['2', 2], ['abc', 'abc']],
  ['watch', [true, true], ['0', false], [true, true]],
  ['delay', [1, [1, 1]], ['2-3', [2, 3]], [['4'], [4, 4]]],
  ['errors', [['a=400'], ['a=400']], ['b=400', ['b=400']], [['c=400'], ['c=400']]],
  ['faults', [['a=reset'], ['a=reset']], ['b=400', ['b=400']], [['c=503,ok'], ['c=503,ok']]],
  ['rateLimit', ['1/s', ['1/s']], ['2/1m', ['2/1m']], [['3/1h:by=a'], ['3/1h:by=a']]],
  ['now', ['2027-01-01', '2027-01-01'], ['2028-01-01', '2028-01-01'], ['2029-01-01', '2029-01-01']],
  ['sunset', ['gone', 'gone'], ['brownout', 'brownout'], ['warn', 'warn']],
  ['state', ['/a.json', '/a.json'], ['b.json', 'b.json'], ['c.json', 'c.json']],
  ['maxSessions', [1, 1], ['2', 2], ['3', 3]],
  ['memory', [1, 1], ['2', 2], ['3', 3]],
  ['journal', [1, 1], ['2', 2], ['0', 0]],
  ['control', [false, false], ['1', true], [false, false]],
  ['controlPath', ['/file', '/file'], ['/env', '/env'], ['/flag', '/flag']],
  ['controlToken', ['a', 'a'], ['b', 'b'], ['c', 'c']],
  ['allowedHosts', [['a'], ['a']], ['b;c', ['b', 'c']], [['d'], ['d']]],
  [
    'allowControlFrom',
    ['all', ['all']],
    ['::1;10.0.0.0/8', ['::1', '10.0.0.0/8']],
    [['private'], ['private']],
  ],
  ['report', ['a.json', ['a.json']], ['b.md;c.html', ['b.md', 'c.html']], [['d.xml'], ['d.xml']]],
  ['minCoverage', [1, 1], ['2', 2], ['3', 3]],
  ['baseUrl', ['/file', '/file'], ['/env', '/env'], ['https://flag.test/', 'https://flag.test/']],
  ['cors', [false, false], ['true', true], [false, false]],
  ['corsOrigin', ['http://a', ['http://a']], ['http://b; loopback', ['http://b', 'loopback']], [[], []]],
  ['logLevel', ['error', 'error'], ['warn', 'warn'], ['debug', 'debug']],
  ['logFormat', ['json', 'json'], ['pretty', 'pretty'], ['json', 'json']],
  ['color', [false, false], ['1', true], [false, false]],
];

describe('Flags win over the environment, the environment over the file', () => {
  test('for every option that has all three', () => {
    const keys = COMMAND_OPTIONS.filter(({ flag }) => flag !== undefined).map(({ name }) => name);
    expect(precedence.map(([key]) => key)).toEqual(keys);
  });

  test.each(precedence)('%s', async (key, [inFile, fromFile], [inEnv, fromEnv], [inFlag, fromFlag]) => {
    const files = { [JSON_FILE]: { [key]: inFile } };
    const env = { [toVariable(key)]: inEnv };
    expect((await settingsOf({ files }))[key]).toEqual(fromFile);
    expect((await settingsOf({ files, env }))[key]).toEqual(fromEnv);
    expect((await settingsOf({ files, env, flags: { [key]: inFlag } }))[key]).toEqual(fromFlag);
    expect((await settingsOf({ files, flags: { [key]: inFlag } }))[key]).toEqual(fromFlag);
  });

  test('and what only one of them sets stays', async () => {
    const settings = await settingsOf({
      files: { [JSON_FILE]: { port: 1, seed: 5 } },
      env: { PETSTORE_MOCK_PORT: '2', PETSTORE_MOCK_HOST: 'b' },
      flags: { port: '3', logLevel: 'warn' },
    });
    expect(settings).toEqual({ ...DEFAULTS, port: 3, seed: 5, host: 'b', logLevel: 'warn' });
  });
});

describe('The config file', () => {
  const json = '{ "port": 8080, "logLevel": "warn" }';
  const yaml = '# mine\nport: 8080\nlogLevel: warn\n';

  const defaults: [name: string, text: string][] = [
    ['petstore-mock.config.json', json],
    ['petstore-mock.config.yaml', yaml],
    ['petstore-mock.config.yml', yaml],
  ];

  test.each(defaults)('is found in the working directory as %s', async (name, text) => {
    expect(await load({ files: { [name]: text } })).toEqual({
      settings: { ...DEFAULTS, port: 8080, logLevel: 'warn' },
      file: join(cwd, name),
      warnings: [],
    });
  });

  test('is not looked for elsewhere', async () => {
    const files = { 'other.json': json, 'below/petstore-mock.config.json': json, 'petstore-mock.json': json };
    expect(await load({ files })).toEqual({ settings: DEFAULTS, file: undefined, warnings: [] });
  });

  const named: [how: string, sources: Omit<Sources, 'files'>][] = [
    ['by the flag', { flags: { config: 'my/own.yaml' } }],
    ['by the environment', { env: { PETSTORE_MOCK_CONFIG: 'my/own.yaml' } }],
    ['by the flag first', { flags: { config: 'my/own.yaml' }, env: { PETSTORE_MOCK_CONFIG: 'no.yaml' } }],
  ];

  test.each(named)('can be named %s, and then no other is read', async (_, sources) => {
    const files = { 'my/own.yaml': 'seed: 7', [JSON_FILE]: '{ "prot": 1 }', [YAML_FILE]: 'prot: 1' };
    expect(await load({ files, ...sources })).toEqual({
      settings: { ...DEFAULTS, seed: 7 },
      file: join(cwd, 'my/own.yaml'),
      warnings: [],
    });
  });

  test('can be named absolutely', async () => {
    const config = join(cwd, 'own.json');
    expect((await load({ files: { 'own.json': { seed: 7 } }, flags: { config } })).settings.seed).toBe(7);
  });

  test.each([
    ['an empty file', ''],
    ['only a comment', '# later\n'],
    ['an empty object', '{}'],
  ])('may say nothing: %s', async (_, text) => {
    expect(await settingsOf({ files: { [YAML_FILE]: text } })).toEqual(DEFAULTS);
  });

  test('must be the only one', async () => {
    const { message, usage } = await refusalOf({ files: { [JSON_FILE]: json, [YAML_FILE]: yaml } });
    expect(message).toBe(
      `There are two config files, ${JSON_FILE} and ${YAML_FILE}. Remove one, or choose one with --config.`,
    );
    expect(usage).toBe(true);
  });

  test('must exist if it is named', async () => {
    const { message } = await refusalOf({ flags: { config: 'nowhere.yaml' } });
    expect(message).toBe(`There is no config file at ${join(cwd, 'nowhere.yaml')}. Check the path.`);
  });

  test.each([
    ['broken JSON', JSON_FILE, '{\n  "port": 4010,\n  "seed" 1\n}', /line 3, column \d+: .+\./],
    ['broken YAML', YAML_FILE, 'port: 4010\nseed: [1\n', /line 3, column 1: .+\./],
    ['a key twice', YAML_FILE, 'port: 4010\nport: 4011\n', /line 2, column 1: Map keys must be unique\./],
  ])('is refused with its line: %s', async (_, file, text, place) => {
    const { message } = await refusalOf({ files: { [file]: text } });
    expect(message).toContain(`Failed to load the config file ${join(cwd, file)}: `);
    expect(message).toMatch(place);
  });

  test.each([
    ['a list', '[]'],
    ['a text', '"port"'],
    ['a number', '4010'],
  ])('must be a mapping, not %s', async (_, text) => {
    const { message, usage } = await refusalOf({ files: { [JSON_FILE]: text } });
    expect(message).toBe(`${JSON_FILE} must be a mapping of options, like port: 4010.`);
    expect(usage).toBe(true);
  });
});

describe('A path', () => {
  const files = (key: string, value: string) => ({ 'conf/mock.yaml': `${key}: ${value}` });
  const flags = { config: 'conf/mock.yaml' };

  test.each(['spec', 'fixtures', 'state'] as const)('in the file starts from there: %s', async (key) => {
    expect((await settingsOf({ files: files(key, './a/b.yaml'), flags }))[key]).toBe(
      join(cwd, 'conf/a/b.yaml'),
    );
    expect((await settingsOf({ files: files(key, '../b.yaml'), flags }))[key]).toBe(join(cwd, 'b.yaml'));
    expect((await settingsOf({ files: files(key, '/b.yaml'), flags }))[key]).toBe('/b.yaml');
  });

  test.each(['http://petstore.example/a.yaml', 'HTTPS://petstore.example/../a.yaml'])(
    'may be a URL: %s',
    async (url) => {
      expect((await settingsOf({ files: files('spec', url), flags })).spec).toBe(url);
    },
  );

  test('in a flag or in the environment stays as it is', async () => {
    const env = { PETSTORE_MOCK_FIXTURES: 'b' };
    const { spec, fixtures } = await settingsOf({ flags: { spec: '../a.yaml' }, env });
    expect({ spec, fixtures }).toEqual({ spec: '../a.yaml', fixtures: 'b' });
  });
});

describe('A variable', () => {
  test.each([
    ['port', 'PETSTORE_MOCK_PORT'],
    ['logLevel', 'PETSTORE_MOCK_LOG_LEVEL'],
  ])('is named after its option: %s', (key, variable) => {
    expect(toVariable(key)).toBe(variable);
  });

  test('holds several rules with ; in between', async () => {
    const { errors } = await settingsOf({ env: { PETSTORE_MOCK_ERRORS: 'getPet=503; GET /pets=500@0.2' } });
    expect(errors).toEqual(['getPet=503', 'GET /pets=500@0.2']);
  });
});

const OBJECT_RULE = {
  operation: 'getPet',
  status: 503,
  code: 'maintenance',
  message: 'Back at noon.',
  headers: { 'Retry-After': '60' },
  delay: 100,
  probability: 0.5,
  times: 2,
};

const FACTS = {
  deprecated: true,
  deprecation: '2026-01-01',
  sunset: '2027-01-01T00:00:00Z',
  successor: 'getPetProfile',
  deprecationLink: 'https://petstore.example/deprecations',
  sunsetLink: 'https://petstore.example/sunsets',
  stability: 'beta',
};

const MAX = Number.MAX_SAFE_INTEGER;

const valid: [key: keyof Settings, given: unknown, read: unknown][] = [
  ['port', 0, 0],
  ['port', 65_535, 65_535],
  ['port', '0', 0],
  ['port', '08080', 8080],
  ['host', 'localhost', 'localhost'],
  ['host', '::1', '::1'],
  ['seed', MAX, MAX],
  ['seed', String(MAX), MAX],
  ['seed', '9007199254740993', '9007199254740993'],
  ['seed', '-1', '-1'],
  ['seed', 'random', 'random'],
  ...(['auth', 'empty', 'watch', 'cors', 'color'] as const).flatMap(
    (key): [keyof Settings, unknown, unknown][] => [
      [key, true, true],
      [key, 'true', true],
      [key, '1', true],
      [key, false, false],
      [key, 'false', false],
      [key, '0', false],
    ],
  ),
  ['delay', 0, [0, 0]],
  ['delay', '200', [200, 200]],
  ['delay', '0-600000', [0, 600_000]],
  ['delay', '5-5', [5, 5]],
  ['delay', [100, 500], [100, 500]],
  ['delay', ['100', '500'], [100, 500]],
  ['delay', 'getPet=5', { getPet: [5, 5] }],
  ['delay', ['GET /pets=5-9', '7'], { 'GET /pets': [5, 9], '*': [7, 7] }],
  ['delay', { getPet: 5, '*': [1, 2] }, { getPet: [5, 5], '*': [1, 2] }],
  ['errors', [], []],
  ['errors', 'getPet=503', ['getPet=503']],
  ['errors', { operation: 'getPet', delay: 5 }, [{ operation: 'getPet', delay: 5 }]],
  ['errors', ['getPet=503', OBJECT_RULE], ['getPet=503', OBJECT_RULE]],
  ...['silent', 'error', 'warn', 'info', 'debug'].map((level): [keyof Settings, unknown, unknown] => [
    'logLevel',
    level,
    level,
  ]),
  ['logFormat', 'pretty', 'pretty'],
  ['logFormat', 'json', 'json'],
  ['lifecycle', {}, {}],
  ['lifecycle', { getPet: {}, 'GET /pets': FACTS }, { getPet: {}, 'GET /pets': FACTS }],
];

const PORT = 'must be an integer from 0 to 65535';
const SEED = `must be an integer from 0 to ${MAX}, or a non-empty string`;
const TEXT = 'must be a non-empty string';
const TRUTH = 'must be true or false';
const DELAY = 'must be milliseconds up to 600000, like 200, or a range, like 100-500';
const LEVEL = 'must be one of silent, error, warn, info, debug';
const RULES = 'must be rules like "getPet=503" or objects';
const OPERATIONS = 'must be a mapping from operations to their deprecation and stability';

const invalid: [key: keyof Settings, given: unknown, mistake: string][] = [
  ...[-1, 65_536, 80.5, '-1', '80.5', '1e3', '0x50', ' 80', '', 'http', null, true, [80], {}].map(
    (given): [keyof Settings, unknown, string] => ['port', given, PORT],
  ),
  ...[-1, MAX + 1, 1.5, '', null, []].map((given): [keyof Settings, unknown, string] => [
    'seed',
    given,
    SEED,
  ]),
  ...(['host', 'spec', 'fixtures'] as const).flatMap((key) =>
    ['', 1, true, null, [], {}].map((given): [keyof Settings, unknown, string] => [key, given, TEXT]),
  ),
  ...(['auth', 'empty', 'watch', 'cors', 'color'] as const).flatMap((key) =>
    ['yes', 'TRUE', '', 1, 0, null, []].map((given): [keyof Settings, unknown, string] => [
      key,
      given,
      TRUTH,
    ]),
  ),
  ...[
    -1,
    '-5',
    '',
    '5-',
    '500-100',
    '1-2-3',
    '600001',
    0.5,
    '1s',
    null,
    [],
    [1, 2, 3],
    [5, 1],
    [5, 'x'],
    {},
  ].map((given): [keyof Settings, unknown, string] => ['delay', given, DELAY]),
  ...['INFO', 'verbose', '', 3, null].map((given): [keyof Settings, unknown, string] => [
    'logLevel',
    given,
    LEVEL,
  ]),
  ['logFormat', 'xml', 'must be one of pretty, json'],
  ['errors', 503, RULES],
  ['errors', null, RULES],
  ['errors', [['getPet=503']], RULES],
  ['lifecycle', [], OPERATIONS],
  ['lifecycle', 'getPet', OPERATIONS],
  [
    'resources',
    ['pets'],
    'must be a mapping from resource names to false or to their collection, item and key',
  ],
  ['stateless', '', 'must be true, false or a list of resource names'],
  ['stateless', ['pets', 1], 'must be true, false or a list of resource names'],
];

const MEMBERS =
  'operation, match, status, code, message, headers, example, effect, bytes, bytesPerSecond, delay, probability, times, after, every, sequence, from, until, rateLimit, undeclared';
const RULE_DELAY = 'milliseconds up to 600000, a range like [100, 500], or {"median": 80, "sigma": 0.4}';

/** Mistakes somewhere in an object: its value is not shown, only the part that is wrong. */
const invalidMembers: [key: keyof Settings, given: unknown, mistake: string][] = [
  ['delay', { getPet: 'soon' }, `in getPet: it ${DELAY}, not "soon"`],
  ['delay', ['5', 'getPet=9-1'], `in getPet: it ${DELAY}, not "9-1"`],
  [
    'errors',
    ['getPet=503', { status: 503 }],
    'in rule 2: "operation" is missing; write it like {"operation": "getPet", "status": 503} or "getPet=503"',
  ],
  [
    'errors',
    [{ operation: 'getPet', chance: 1 }],
    `in rule 1: unknown member "chance"; choose from ${MEMBERS}`,
  ],
  [
    'errors',
    { operation: 'getPet', constructor: 1 },
    `in rule 1: unknown member "constructor"; choose from ${MEMBERS}`,
  ],
  ['lifecycle', { getPet: 'beta' }, 'in getPet: expected an object, got "beta"'],
  [
    'lifecycle',
    { getPet: { until: '2027-01-01' } },
    `in getPet: unknown member "until"; choose from ${Object.keys(FACTS).join(', ')}`,
  ],
  [
    'lifecycle',
    { getPet: { deprecated: 'yes' } },
    'in getPet: "deprecated" must be true or false, not "yes"',
  ],
  ['resources', { pets: { key: 1 } }, 'in pets: "key" must be a string, not 1'],
];

/** Text is not read as a number here: the answer would carry it where the document wants an integer. */
const wrongMembers: [member: keyof typeof OBJECT_RULE, given: unknown, expected: string][] = [
  ['operation', 1, 'a string'],
  ['status', 'teapot', 'an integer'],
  ['status', '503', 'an integer'],
  ['status', 503.5, 'an integer'],
  ['code', 1, 'a string'],
  ['message', null, 'a string'],
  ['headers', 'Retry-After: 60', 'a mapping from names to strings'],
  ['headers', { 'Retry-After': 60 }, 'a mapping from names to strings'],
  ['delay', '100', RULE_DELAY],
  ['delay', -1, RULE_DELAY],
  ['probability', '0.5', 'a number'],
  ['times', -1, 'a positive integer'],
  ['times', 'twice', 'a positive integer'],
  ['times', '2', 'a positive integer'],
];

const wrongFacts = (Object.keys(FACTS) as (keyof typeof FACTS)[]).filter((fact) => fact !== 'deprecated');

describe('The value of an option', () => {
  test.each(valid)('%s may be %j', async (key, given, read) => {
    expect((await settingsOf({ files: { [JSON_FILE]: { [key]: given } } }))[key]).toEqual(read);
  });

  test.each(invalid)('%s cannot be %j', async (key, given, mistake) => {
    const { message, usage } = await refusalOf({ files: { [JSON_FILE]: { [key]: given } } });
    expect(message).toBe(`${JSON_FILE}, line 1: ${key} ${mistake}, not ${JSON.stringify(given)}.`);
    expect(usage).toBe(true);
  });

  test.each(invalidMembers)('%s cannot be %j', async (key, given, mistake) => {
    const { message, usage } = await refusalOf({ files: { [JSON_FILE]: { [key]: given } } });
    expect(message).toBe(`${JSON_FILE}, line 1: ${key} has a mistake ${mistake}.`);
    expect(usage).toBe(true);
  });

  test.each(wrongMembers)('errors cannot have the %s %j', async (member, given, expected) => {
    const { message } = await refusalOf({
      files: { [JSON_FILE]: { errors: [{ ...OBJECT_RULE, [member]: given }] } },
    });
    expect(message).toBe(
      `${JSON_FILE}, line 1: errors has a mistake in rule 1: "${member}" must be ${expected}, not ${JSON.stringify(given)}.`,
    );
  });

  test.each(wrongFacts)('lifecycle cannot have a number as %s', async (fact) => {
    const { message } = await refusalOf({
      files: { [JSON_FILE]: { lifecycle: { getPet: { ...FACTS, [fact]: 1 } } } },
    });
    expect(message).toBe(
      `${JSON_FILE}, line 1: lifecycle has a mistake in getPet: "${fact}" must be a string, not 1.`,
    );
  });

  test('may be a date without quotes in YAML', async () => {
    const files = { [YAML_FILE]: 'lifecycle:\n  getPet:\n    sunset: 2028-01-01\n' };
    expect((await settingsOf({ files })).lifecycle).toEqual({ getPet: { sunset: '2028-01-01' } });
  });
});

const HELP = 'Run "petstore-mock --help" for a list of all options.';

describe('Mistakes', () => {
  test('are reported together, each with its place', async () => {
    const { message, usage } = await refusalOf({
      files: { [YAML_FILE]: 'port: http\nprot: 4010\nlogLevel:\n  loud\n' },
      env: { PETSTORE_MOCK_SEED: '', PETSTORE_MOCK_COLOUR: 'no' },
      flags: { logFormat: 'xml', errors: [1] },
    });
    expect(message.split('\n')).toEqual([
      `${YAML_FILE}, line 2: Unknown option prot. Did you mean port?`,
      `${YAML_FILE}, line 1: port ${PORT}, not "http".`,
      `${YAML_FILE}, line 3: logLevel ${LEVEL}, not "loud".`,
      'Unknown option PETSTORE_MOCK_COLOUR. Did you mean PETSTORE_MOCK_COLOR?',
      `PETSTORE_MOCK_SEED ${SEED}, not "".`,
      '--log-format must be one of pretty, json, not "xml".',
      `--error ${RULES}, not [1].`,
      HELP,
    ]);
    expect(usage).toBe(true);
  });

  test('are reported even where another source wins', async () => {
    const { message } = await refusalOf({ files: { [JSON_FILE]: { port: 'x' } }, flags: { port: '80' } });
    expect(message).toContain(`port ${PORT}, not "x".`);
  });

  const unknownKeys: [key: string, nearest: string | undefined][] = [
    ['prot', 'port'],
    ['Port', 'port'],
    ['log-level', 'logLevel'],
    ['log_level', 'logLevel'],
    ['LOGLEVL', 'logLevel'],
    ['error', 'errors'],
    ['colour', 'color'],
    ['config', undefined],
    ['onExchange', undefined],
    ['constructor', undefined],
    ['toString', undefined],
    ['x', undefined],
    ['port-port-port', undefined],
  ];

  test.each(unknownKeys)('include the unknown key %s in the file', async (key, nearest) => {
    const { message } = await refusalOf({ files: { [JSON_FILE]: { [key]: 1 } } });
    const suggestion = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
    expect(message).toBe(`${JSON_FILE}, line 1: Unknown option ${key}.${suggestion}\n${HELP}`);
  });

  test.each([
    ['PETSTORE_MOCK_PROT', ' Did you mean PETSTORE_MOCK_PORT?'],
    ['PETSTORE_MOCK_CONFG', ' Did you mean PETSTORE_MOCK_CONFIG?'],
    ['PETSTORE_MOCK_port', ' Did you mean PETSTORE_MOCK_PORT?'],
    ['PETSTORE_MOCK_LIFECYCLE', ''],
  ])('include the unknown variable %s', async (variable, suggestion) => {
    const { message } = await refusalOf({ env: { [variable]: '1' } });
    expect(message).toBe(`Unknown option ${variable}.${suggestion}\n${HELP}`);
  });

  test.each([
    [
      'another program',
      { PETSTORE_MOCK_HOME: 'http://a', PETSTORE_MOCK_: '', PETSTORE_MOCK_BASE_PATH: '/' },
      'Ignored unknown variables: ',
    ],
    [
      'Kubernetes, for a Service of this name',
      {
        PETSTORE_MOCK_PORT: 'tcp://10.0.0.1:4010',
        PETSTORE_MOCK_PORT_4010_TCP: 'tcp://10.0.0.1:4010',
        PETSTORE_MOCK_PORT_4010_TCP_ADDR: '10.0.0.1',
        PETSTORE_MOCK_PORT_4010_TCP_PORT: '4010',
        PETSTORE_MOCK_PORT_4010_TCP_PROTO: 'tcp',
        PETSTORE_MOCK_SERVICE_HOST: '10.0.0.1',
        PETSTORE_MOCK_SERVICE_PORT: '4010',
        PETSTORE_MOCK_SERVICE_PORT_HTTP: '4010',
      },
      'Ignored what Kubernetes sets for a Service: ',
    ],
  ])('are not the variables of %s, which only warn', async (_, env, warning) => {
    expect(await load({ env })).toEqual({
      settings: DEFAULTS,
      file: undefined,
      warnings: [`${warning}${Object.keys(env).join(', ')}. [variable-ignored]`],
    });
  });

  test('are not $schema in the file, which is for editors', async () => {
    const schema = './node_modules/petstore-mock/config.schema.json';
    expect(await settingsOf({ files: { [JSON_FILE]: { $schema: schema, seed: 7 } } })).toEqual({
      ...DEFAULTS,
      seed: 7,
    });
  });

  test('in a file that is no mapping are reported beside those of flags', async () => {
    const { message } = await refusalOf({ files: { [JSON_FILE]: '[]' }, flags: { port: 'x' } });
    expect(message.split('\n')).toEqual([
      `${JSON_FILE} must be a mapping of options, like port: 4010.`,
      `--port ${PORT}, not "x".`,
    ]);
  });
});

import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { main } from '../src/cli/cli.ts';
import { toVariable } from '../src/cli/variables.ts';
import type { Option, OptionTable } from '../src/core/service/option.ts';
import { COMMAND_OPTIONS, CONFIG_OPTION, LIBRARY_OPTIONS } from '../src/core/service/option-lists.ts';
import { OPTIONS } from '../src/core/service/options.ts';
import { createMock, type Mock, type MockOptions, SetupError } from '../src/index.ts';

const mocks: Mock[] = [];

afterEach(async () => {
  for (const mock of mocks.splice(0)) await mock.close();
});

/** Options as plain JavaScript may give them, wrong ones included. */
type Given = Readonly<Record<string, unknown>>;

async function create(given: Given): Promise<Mock> {
  const mock = await createMock(given as MockOptions);
  mocks.push(mock);
  return mock;
}

async function messageOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof SetupError && error.usage) return error.message;
  throw new Error(`No usage error: ${error}`);
}

const NAMES = `The options are ${LIBRARY_OPTIONS.map(({ name }) => name).join(', ')}.`;

const mistakes: [given: Given, ...lines: string[]][] = [
  [{ sead: 7 }, 'Unknown option sead. Did you mean seed?', NAMES],
  [{ colour: false }, 'Unknown option colour.', NAMES],
  [{ port: 4010 }, 'Unknown option port.', NAMES],
  [{ constructor: 1 }, 'Unknown option constructor.', NAMES],
  [
    { seed: -1 },
    `seed must be an integer from 0 to ${Number.MAX_SAFE_INTEGER}, or a non-empty string, not -1.`,
  ],
  [{ spec: 1 }, 'spec must be a non-empty string or an object, not 1.'],
  [{ spec: '' }, 'spec must be a non-empty string or an object, not "".'],
  [{ stateless: 'true' }, 'stateless must be true, false or a list of resource names, not "true".'],
  [{ onExchange: 'log' }, 'onExchange must be a function, not "log".'],
  [{ fixtures: 1n }, 'fixtures must be a non-empty string or an object, not 1.'],
  [{ empty: () => true }, 'empty must be true or false, not () => true.'],
  [{ errors: [503] }, 'errors must be rules like "getPet=503" or objects, not [503].'],
  [
    { fixtures: Array(99).fill(1) },
    `fixtures must be a non-empty string or an object, not [${'1,'.repeat(49)}1….`,
  ],
  ...['*', 'a.com', 'https://*.a.com', 'https://a.com/b', 'https://u@a.com', 'null', 'file:///a', ''].map(
    (origin): [Given, string] => [
      { corsOrigin: ['loopback', origin] },
      `corsOrigin must be origins like https://app.example.com, or loopback, not "${origin}".`,
    ],
  ),
  [
    { empty: 'no', auths: true, delay: '5-1' },
    'empty must be true or false, not "no".',
    'delay must be milliseconds up to 600000, like 200, or a range, like 100-500, not "5-1".',
    'Unknown option auths. Did you mean auth?',
    NAMES,
  ],
];

describe('The options of createMock', () => {
  test.each(mistakes)('are refused, all mistakes at once: %s', async (given, ...lines) => {
    expect(await messageOf(create(given))).toBe(lines.join('\n'));
  });

  test.each(mistakes)('are refused by a reload, which then changes nothing: %s', async (given, ...lines) => {
    const mock = await create({ errors: ['listPets=503'] });
    expect(await messageOf(mock.reload(given as MockOptions))).toBe(lines.join('\n'));
    expect((await mock.fetch('/pets')).status).toBe(503);
  });

  test.each(LIBRARY_OPTIONS.map(({ name }) => name))('may be undefined: %s', async (name) => {
    const mock = await create({ [name]: undefined });
    expect((await mock.fetch('/pets')).status).toBe(200);
  });

  test('mean what they say where JavaScript gives text', async () => {
    const mock = await create({ empty: 'true', errors: 'getCategory=503', cors: '0', seed: '7' });
    expect(await (await mock.fetch('/pets')).json()).toEqual([]);
    const failed = await mock.fetch('/categories/1');
    expect(failed.status).toBe(503);
    expect(failed.headers.get('Access-Control-Allow-Origin')).toBeNull();
  });

  test('can be changed by a reload, except corsOrigin', async () => {
    const mock = await create({ corsOrigin: 'https://one.example' });
    await mock.reload({ corsOrigin: ['https://two.example'] } as MockOptions);
    const allowed = async (Origin: string) =>
      (await mock.fetch('/pets', { headers: { Origin } })).headers.get('Access-Control-Allow-Origin');
    expect(await allowed('https://one.example')).toBe('https://one.example');
    expect(await allowed('https://two.example')).toBe('*');
  });

  test('can be changed by a reload, except cors', async () => {
    const mock = await create({});
    await mock.reload({ empty: true, cors: false } as MockOptions);
    const pets = await mock.fetch('/pets');
    expect(await pets.json()).toEqual([]);
    expect(pets.headers.get('Access-Control-Allow-Origin')).toBe('*');
  });
});

describe('The table of options', () => {
  test('does not compile without an option, or with a wrong default, reader or scope', () => {
    const { seed, host, onExchange, cors, ...others } = OPTIONS;
    const whole: OptionTable = { ...others, seed, host, onExchange, cors };
    // @ts-expect-error an option of library and command is missing
    const withoutSeed: OptionTable = { ...others, host, onExchange, cors };
    // @ts-expect-error an option of the command is missing
    const withoutHost: OptionTable = { ...others, seed, onExchange, cors };
    // @ts-expect-error an option of the library is missing
    const withoutCallback: OptionTable = { ...others, seed, host, cors };
    // @ts-expect-error there is no such option
    const withUnknown: OptionTable = { ...whole, sead: seed };
    // @ts-expect-error the default has another type
    const wrongDefault: OptionTable = { ...whole, seed: { ...seed, default: true } };
    // @ts-expect-error the reader has another type
    const wrongReader: OptionTable = { ...whole, seed: { ...seed, read: cors.read } };
    // @ts-expect-error the library has this option, too
    const wrongScope: OptionTable = { ...whole, seed: { ...seed, scope: 'command' } };
    // @ts-expect-error a reload changes this option
    const wrongFixed: OptionTable = { ...whole, seed: { ...seed, fixed: true } };
    const { fixed: _, ...loose } = cors;
    // @ts-expect-error a reload does not change this option
    const wrongLoose: OptionTable = { ...whole, cors: loose };
    const broken = [
      ...[withoutSeed, withoutHost, withoutCallback, withUnknown],
      ...[wrongDefault, wrongReader, wrongScope, wrongFixed, wrongLoose],
    ];
    for (const table of broken) expect(table).not.toEqual(whole);
  });

  test.each(COMMAND_OPTIONS)('is shown by --help: $name', async ({ name, flag, description }) => {
    const help = await readHelp();
    expect(help).toContain(`  ${flag ?? name}`);
    expect(help.replace(/\s+/g, ' ')).toContain(description);
  });

  test('shows the defaults that matter in --help', async () => {
    const help = (await readHelp()).replace(/\s+/g, ' ');
    const defaults = [...help.matchAll(/\(default: ([^)]+)\)/g)].map(([, text]) => text);
    expect(defaults).toEqual([
      '4010',
      '127.0.0.1',
      'the pet store',
      "the pet store's own, or generated entities",
      '1',
      '0',
      'none',
      'the system time',
      'warn',
      'none',
      '10000',
      '256',
      '250',
      '/__mock',
      'none',
      'none',
      'this machine alone',
      'none',
      '0',
      'as the proxy announces',
      'loopback',
      'info',
      'pretty',
      'petstore-mock.config.json, .yaml or .yml, if there is one',
    ]);
  });
});

async function readHelp(): Promise<string> {
  let out = '';
  const write = (text: string) => {
    out += text;
  };
  const stopped = () => Promise.resolve();
  await main(['--help'], { env: {}, cwd: '/', isTTY: false, out: write, err: write, stopped });
  return out;
}

const README = new URL('../README.md', import.meta.url);
const TABLE =
  /(?<=<!-- options: written by UPDATE=1 npx vitest run test\/options\.test\.ts -->\n)[\s\S]*?(?=\n<!-- \/options -->)/;

describe('The README', () => {
  test('has the table of options; UPDATE=1 writes it', () => {
    const readme = readFileSync(README, 'utf8');
    const expected = toReadmeTable();
    if (process.env.UPDATE === '1')
      writeFileSync(
        README,
        readme.replace(TABLE, () => expected),
      );
    expect(TABLE.exec(readFileSync(README, 'utf8'))?.[0]).toBe(expected);
  });

  test('names the options of the table that only the command has', () => {
    const names = COMMAND_OPTIONS.filter(({ scope }) => scope === 'command').map(({ name }) => `\`${name}\``);
    const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
    expect(readFileSync(README, 'utf8').replace(/\s+/g, ' ')).toContain(`except ${list}`);
  });
});

type Described = Omit<Option, 'scope' | 'read'>;

function toReadmeTable(): string {
  const options = [...COMMAND_OPTIONS.map(toCells), toCells(CONFIG_OPTION).with(2, '')];
  const lines = [['Flag', 'Variable', 'Config key', 'Meaning', 'Default'], Array(5).fill('---'), ...options];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function toCells(option: Described): string[] {
  const { name, flag, description, list } = option;
  const off = flag?.startsWith('--no-') ? ['=false', ': false'] : ['', ''];
  return [
    flag === undefined ? '' : toCode(flag),
    flag === undefined ? '' : toCode(toVariable(name) + off[0]) + (list ? ' (`;` between several)' : ''),
    toCode(name + off[1]) + (list ? ' (a list)' : ''),
    description.replaceAll('|', '\\|'),
    toDefault(option),
  ];
}

function toDefault({ default: value, defaultText }: Described): string {
  if (defaultText !== undefined) return defaultText;
  return typeof value === 'object' ? 'none' : toCode(String(value));
}

function toCode(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

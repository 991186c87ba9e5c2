import { readFileSync, writeFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { COMMAND_OPTIONS } from '../src/core/service/option-lists.ts';

const FILE = new URL('../config.schema.json', import.meta.url);

function toConfigSchema(): object {
  const properties = COMMAND_OPTIONS.map(({ name, flag, description, schema, default: value }) => [
    name,
    // The description of `--no-cors` says what `cors: false` does.
    {
      description: (flag?.startsWith('--no-') ? 'false: ' : '') + description,
      ...schema,
      ...(value !== undefined && { default: value }),
    },
  ]);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'The config file of petstore-mock',
    type: 'object',
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(properties) },
    additionalProperties: false,
  };
}

describe('The schema of the config file', () => {
  const accepts = new Ajv({ allowUnionTypes: true }).compile(toConfigSchema());

  test('is written from the table of options by UPDATE=1 npx vitest run test/config-schema.test.ts', () => {
    const expected = `${JSON.stringify(toConfigSchema(), undefined, 2)}\n`;
    if (process.env.UPDATE === '1') writeFileSync(FILE, expected);
    expect(readFileSync(FILE, 'utf8')).toBe(expected);
  });

  test.each(COMMAND_OPTIONS.filter((option) => option.default !== undefined))(
    'accepts the default of $name',
    ({ name, default: value }) => {
      expect(accepts({ [name]: value })).toBe(true);
    },
  );

  const rule = {
    operation: 'getPet',
    status: 503,
    code: 'maintenance',
    message: 'Back at noon.',
    headers: { 'Retry-After': '60' },
    delay: 100,
    probability: 0.5,
    times: 2,
  };
  const samples: unknown[] = [
    ...[
      true,
      false,
      null,
      0,
      1,
      4010,
      65_536,
      -1,
      1.5,
      '',
      'info',
      'json',
      'getPet=503',
      '200',
      '1-5',
      '1-',
      '5x',
    ],
    ...[
      [],
      ['a'],
      [''],
      [1],
      [1, 5],
      [1, 5, 9],
      [-1],
      ['getPet=503', rule],
      rule,
      { ...rule, chance: 1 },
      {},
    ],
    ...[{ ...rule, status: '503' }, { ...rule, times: 0 }, { ...rule, headers: { a: 1 } }, { status: 503 }],
    ...[
      { ...rule, delay: -1 },
      { ...rule, probability: '1' },
    ],
    ...[
      { pets: false },
      { pets: true },
      { pets: { key: 'id' } },
      { pets: { key: 1 } },
      { pets: { keys: '' } },
    ],
    ...[
      { getPet: { sunset: '2027-01-01', deprecated: true } },
      { getPet: { deprecated: 'yes' } },
      { getPet: 1 },
    ],
  ];

  test.each(COMMAND_OPTIONS)('accepts only what the command reads: $name', ({ name, read }) => {
    const wrong = samples.filter((value) => accepts({ [name]: value }) && 'mistake' in read(value));
    expect(wrong).toEqual([]);
  });

  test.each(COMMAND_OPTIONS)(
    'accepts whatever the command reads, but text for other types: $name',
    ({ name, read }) => {
      const isTyped = (value: unknown) => typeof value !== 'string';
      const missed = samples.filter(
        (value) => isTyped(value) && !accepts({ [name]: value }) && 'value' in read(value),
      );
      expect(missed).toEqual([]);
    },
  );

  test('refuses an unknown option, and allows $schema', () => {
    expect(accepts({ sead: 7 })).toBe(false);
    expect(accepts({ $schema: './node_modules/petstore-mock/config.schema.json', seed: 7 })).toBe(true);
  });
});

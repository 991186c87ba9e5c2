import { createRequire } from 'node:module';
import type { LoadOptions, Type } from 'js-yaml';
import { once } from '../base/once.ts';

const require = createRequire(import.meta.url);

/** Follows a parse: `open` and `close` for each node, and for each text that could have been a key. */
export type Listener = NonNullable<LoadOptions['listener']>;

/** Parses YAML by the core schema of YAML 1.2, which JSON is a part of. Throws for a mistake, and for more than 100 levels. */
export function loadYaml(text: string, listener: Listener): unknown {
  return loadYamlParser()(text, listener) ?? null;
}

/** Loads js-yaml, for the first text at the latest. */
export const loadYamlParser: () => ReturnType<typeof createLoad> = once(createLoad);

function createLoad(): (text: string, listener: Listener) => unknown {
  const yaml = require('js-yaml') as typeof import('js-yaml');
  const schema = yaml.FAILSAFE_SCHEMA.extend({
    implicit: CORE.map(
      ([name, pattern, read]): Type =>
        new yaml.Type(`tag:yaml.org,2002:${name}`, {
          kind: 'scalar',
          // The text of an empty scalar is null.
          resolve: (text: string | null) => pattern.test(text ?? ''),
          construct: (text: string | null) => read(text ?? ''),
        }),
    ),
  });
  return (text, listener) => yaml.load(text, { schema, listener });
}

type Scalar = readonly [name: string, pattern: RegExp, read: (text: string) => unknown];

/** The core schema of YAML 1.2. That of js-yaml also reads 1_000 and 0b1 as numbers. */
const CORE: readonly Scalar[] = [
  ['null', /^(?:~|[Nn]ull|NULL)?$/, () => null],
  ['bool', /^(?:[Tt]rue|TRUE|[Ff]alse|FALSE)$/, (text) => /^t/i.test(text)],
  [
    'int',
    /^(?:0o[0-7]+|[-+]?[0-9]+|0x[0-9a-fA-F]+)$/,
    (text) => (/^0[ox]/.test(text) ? Number(text) : Number.parseInt(text, 10)),
  ],
  [
    'float',
    /^(?:[-+]?(?:(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|\.(?:inf|Inf|INF))|\.(?:nan|NaN|NAN))$/,
    readFloat,
  ],
];

function readFloat(text: string): number {
  if (/inf$/i.test(text)) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number.parseFloat(text);
}

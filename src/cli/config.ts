import { access } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { SetupError } from '../problem.ts';
import { isObject } from '../schema.ts';
import { isUrl, readSource, type Source } from '../source.ts';
import { OPTIONS, type Option, type Settings } from './options.ts';

/** Where options come from. */
export interface ConfigSources {
  /** Flags that were really given, by option key, as text; `config` names the config file. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The directory in which files are looked for. */
  readonly cwd: string;
}

export interface Config {
  readonly settings: Settings;
  /** The config file that was read, if there was one. */
  readonly file: string | undefined;
}

const DEFAULT_FILES = ['petstore-mock.config.json', 'petstore-mock.config.yaml', 'petstore-mock.config.yml'];
const PREFIX = 'PETSTORE_MOCK_';

/**
 * The settings: flags win over environment variables, those over the config file. Throws a SetupError that lists every
 * mistake of all three.
 */
export async function loadConfig({ flags, env, cwd }: ConfigSources): Promise<Config> {
  const file = await findConfigFile(flags.config ?? env[`${PREFIX}CONFIG`], cwd);
  const layers = [
    ...(file === undefined ? [] : [fromFile(await readSource(file, 'config file'), cwd)]),
    fromEnvironment(env),
    fromFlags(flags),
  ];
  const settings: Record<string, unknown> = Object.fromEntries(
    OPTIONS.map(({ key, initial }) => [key, initial]),
  );
  const mistakes: string[] = [];
  for (const { entries, unknown } of layers) {
    mistakes.push(...unknown);
    for (const { option, name, value, base } of entries) {
      const reading = option.read(value);
      if ('mistake' in reading) mistakes.push(`${name} ${reading.mistake}, not ${JSON.stringify(value)}.`);
      else settings[option.key] = option.path ? toPath(reading.value as string, base) : reading.value;
    }
  }
  if (mistakes.length > 0) throw new SetupError(mistakes.join('\n'), { usage: true });
  return { settings: settings as unknown as Settings, file };
}

/** One source of options. */
interface Layer {
  readonly entries: readonly {
    readonly option: Option;
    /** The option as its source calls it. */
    readonly name: string;
    readonly value: unknown;
    /** The directory that a relative path starts from; empty for the working directory. */
    readonly base: string;
  }[];
  /** A sentence for every key that is no option. */
  readonly unknown: readonly string[];
}

/** `logLevel` → `PETSTORE_MOCK_LOG_LEVEL` */
export function toVariable(key: string): string {
  return PREFIX + key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

async function findConfigFile(named: unknown, cwd: string): Promise<string | undefined> {
  if (typeof named === 'string' && named !== '') return resolve(cwd, named);
  const checks = DEFAULT_FILES.map(async (file) => {
    const path = join(cwd, file);
    return access(path).then(
      () => [path],
      () => [],
    );
  });
  const [first, second] = (await Promise.all(checks)).flat();
  if (first === undefined || second === undefined) return first;
  const names = `${relative(cwd, first)} and ${relative(cwd, second)}`;
  throw new SetupError(`There are two config files, ${names}. Keep one, or choose one with --config.`, {
    usage: true,
  });
}

function fromFile(source: Source, cwd: string): Layer {
  const name = relative(cwd, source.location) || source.location;
  const data = source.data ?? {};
  if (!isObject(data) || Array.isArray(data)) {
    return { entries: [], unknown: [`${name} must hold options by name, like port: 4010.`] };
  }
  const base = dirname(source.location);
  return toLayer(
    Object.entries(data),
    OPTIONS,
    (key) => key,
    (key) => `${name}, ${source.line([key])}: ${key}`,
    base,
  );
}

function fromEnvironment(env: ConfigSources['env']): Layer {
  const given = Object.entries(env).filter(
    ([name, value]) => name.startsWith(PREFIX) && name !== `${PREFIX}CONFIG` && value !== undefined,
  );
  const byVariable = new Map(
    OPTIONS.filter(({ flag }) => flag).map((option) => [toVariable(option.key), option]),
  );
  const values = given.map(([name, value]): [string, unknown] => {
    const rules = byVariable.get(name)?.list ? value?.split(';').map((rule) => rule.trim()) : value;
    return [name, rules];
  });
  return toLayer(values, [...byVariable.values()], toVariable, (name) => name, '');
}

function fromFlags(flags: ConfigSources['flags']): Layer {
  const { config: _, ...given } = flags;
  const toFlag = (key: string) => OPTIONS.find((option) => option.key === key)?.flag?.split(' ', 1)[0] ?? key;
  return toLayer(Object.entries(given), OPTIONS, (key) => key, toFlag, '');
}

function toLayer(
  values: readonly (readonly [name: string, value: unknown])[],
  options: readonly Option[],
  nameOf: (key: string) => string,
  label: (name: string) => string,
  base: string,
): Layer {
  const byName = new Map(options.map((option) => [nameOf(option.key), option]));
  const known = values.filter(([name]) => byName.has(name));
  return {
    entries: known.map(([name, value]) => ({
      option: byName.get(name) as Option,
      name: label(name),
      value,
      base,
    })),
    unknown: values
      .filter(([name]) => !byName.has(name))
      .map(([name]) => `${label(name)} is no option. There are ${[...byName.keys()].join(', ')}.`),
  };
}

function toPath(location: string, base: string): string {
  return base === '' || location === '-' || isUrl(location) ? location : resolve(base, location);
}

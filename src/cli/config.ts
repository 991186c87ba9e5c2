import { access } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { SetupError } from '../base/problem.ts';
import type { SetupCode } from '../base/setup-code.ts';
import type { Option, Settings } from '../core/service/service.ts';
import { COMMAND_OPTIONS } from '../core/service/service.ts';
import { readSource, recognizeFile, type Source } from '../document/document.ts';
import { isObject } from '../schema/schema.ts';
import { type GivenBy, type Layer, readLayer, settleConflict, toLayer, type Values } from './config-layer.ts';
import { CONFIG_VARIABLE, findMeant, readVariables, toVariable, VARIABLE_OPTIONS } from './variables.ts';

/** Where options come from. */
export interface ConfigSources {
  /** The flags that were typed, by the name of their option, as text. `config` names the config file. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The directory to look for files in. */
  readonly cwd: string;
}

export interface Config {
  readonly settings: Settings;
  /** The config file, if there is one. */
  readonly file: string | undefined;
  /** Sentences about what was ignored. */
  readonly warnings: readonly string[];
}

const DEFAULT_FILES = ['petstore-mock.config.json', 'petstore-mock.config.yaml', 'petstore-mock.config.yml'];

/**
 * Reads the settings: flags win over environment variables, and those over the config file. Throws a SetupError that
 * lists the mistakes of all three.
 */
export async function loadConfig({ flags, env, cwd }: ConfigSources): Promise<Config> {
  const file = await findConfigFile(flags.config, env[CONFIG_VARIABLE], cwd);
  const variables = readVariables(env);
  const layers = [
    ...(file === undefined ? [] : [fromFile(await readSource(file, 'config file'), cwd)]),
    fromVariables(variables.values),
    fromFlags(flags),
  ];
  const settings: Record<string, unknown> = {};
  const given = new Map<string, GivenBy>();
  for (const option of COMMAND_OPTIONS) {
    if (option.default !== undefined) settings[option.name] = option.default;
  }
  const mistakes = layers.flatMap((layer) => [...layer.unknown, ...readLayer(layer, settings, given)]);
  const unknown = layers.flatMap((layer) => layer.unknown);
  const code = toCode(layers, mistakes.length > unknown.length);
  const conflict = settleConflict(settings, given);
  if (conflict.mistake !== undefined) mistakes.push(conflict.mistake);
  if (unknown.length > 0) mistakes.push(HELP);
  if (mistakes.length > 0) throw new SetupError(code, mistakes.join('\n'), { usage: true });
  return {
    settings: settings as unknown as Settings,
    file,
    warnings: [...variables.warnings, ...conflict.warnings],
  };
}

/** The code for the gravest of the mistakes. */
function toCode(layers: readonly Layer[], hasWrongValue: boolean): SetupCode {
  if (layers.some(({ mistake }) => mistake !== undefined)) return 'config-invalid';
  if (hasWrongValue) return 'option-invalid';
  return layers.some(({ unknown }) => unknown.length > 0) ? 'option-unknown' : 'option-conflict';
}

const HELP = 'Run "petstore-mock --help" for a list of all options.';

async function findConfigFile(flag: unknown, variable: unknown, cwd: string): Promise<string | undefined> {
  if (flag === '')
    throw new SetupError('option-invalid', '--config must be the name of a file, not "".', { usage: true });
  const named = flag ?? variable;
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
  throw new SetupError(
    'config-ambiguous',
    `There are two config files, ${names}. Remove one, or choose one with --config.`,
    {
      usage: true,
    },
  );
}

function fromFile(source: Source, cwd: string): Layer {
  const file = relative(cwd, source.location) || source.location;
  const data = source.data ?? {};
  const other = recognizeFile(data);
  if (!isObject(data) || Array.isArray(data)) {
    const mistake = other
      ? toOtherFile(file, other)
      : `${file} must be a mapping of options, like port: 4010.`;
    return { entries: [], unknown: [], mistake };
  }
  // Editors read `$schema`, to know the options.
  const values = Object.entries(data).filter(([name]) => name !== '$schema');
  const layer = toLayer(values, COMMAND_OPTIONS, ({ name }) => name, {
    file,
    line: (name) => source.line([name]),
    base: dirname(source.location),
  });
  const isOther = layer.unknown.length > 0 && other !== undefined;
  return isOther ? { entries: [], unknown: [], mistake: toOtherFile(file, other) } : layer;
}

/** Words the message for a file that was given as config file by mistake. */
function toOtherFile(file: string, { name, option }: NonNullable<ReturnType<typeof recognizeFile>>): string {
  const remedy = {
    spec: `Serve it with --spec ${file}.`,
    fixtures: `Start with its entities with --fixtures ${file}.`,
    none: 'Name a file with options, like port: 4010.',
  }[option ?? 'none'];
  const isDefault = DEFAULT_FILES.includes(basename(file)) ? ' Give it another name too.' : '';
  return `${file} is ${name}, not a config file. ${remedy}${isDefault}`;
}

function fromVariables(values: Values): Layer {
  return toLayer(values, VARIABLE_OPTIONS, ({ name }) => toVariable(name), {
    suggest: (written) => {
      const meant = findMeant(written);
      return meant === undefined || FILE_ONLY.has(meant) ? undefined : toVariable(meant);
    },
  });
}

/** The options without a flag have no variable either. */
const FILE_ONLY = new Set(COMMAND_OPTIONS.filter(({ flag }) => flag === undefined).map(({ name }) => name));

function fromFlags({ config: _, ...flags }: ConfigSources['flags']): Layer {
  const toFlag = ({ name, flag }: Pick<Option, 'name' | 'flag'>) => flag?.split(' ', 1)[0] ?? name;
  const byName = new Map(COMMAND_OPTIONS.map((option) => [option.name, toFlag(option)]));
  const values = Object.entries(flags).map(([name, value]): [string, unknown] => [
    byName.get(name) ?? name,
    value,
  ]);
  return toLayer(values, COMMAND_OPTIONS, toFlag);
}

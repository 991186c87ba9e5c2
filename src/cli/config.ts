import { access } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { isUrl, readSource, type Source } from '../document/document.ts';
import { findNearest } from '../find-nearest.ts';
import { SetupError } from '../problem.ts';
import { isObject } from '../schema/schema.ts';
import type { Option, Settings } from '../service/service.ts';
import { COMMAND_OPTIONS, toUnknownOption } from '../service/service.ts';
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
  const file = await findConfigFile(flags.config ?? env[CONFIG_VARIABLE], cwd);
  const variables = readVariables(env);
  const layers = [
    ...(file === undefined ? [] : [fromFile(await readSource(file, 'config file'), cwd)]),
    fromVariables(variables.values),
    fromFlags(flags),
  ];
  const settings: Record<string, unknown> = {};
  for (const option of COMMAND_OPTIONS) {
    if (option.default !== undefined) settings[option.name] = option.default;
  }
  const mistakes = layers.flatMap((layer) => [...layer.unknown, ...readLayer(layer, settings)]);
  if (layers.some(({ unknown }) => unknown.length > 0)) mistakes.push(HELP);
  if (mistakes.length > 0) throw new SetupError(mistakes.join('\n'), { usage: true });
  return { settings: settings as unknown as Settings, file, warnings: variables.warnings };
}

const HELP = 'Run "petstore-mock --help" for a list of all options.';

/** The options that one source gives. */
interface Layer {
  readonly entries: readonly GivenOption[];
  /** A message for every unknown option. */
  readonly unknown: readonly string[];
  /** The reason why the whole source is unreadable. */
  readonly mistake?: string;
}

interface GivenOption {
  readonly option: Option;
  /** The option as its source writes it, with its place. */
  readonly label: string;
  readonly value: unknown;
  /** The directory that a relative path starts from; empty for the working directory. */
  readonly base: string;
}

/** Puts the values of a layer over the settings so far. Returns a message for every value that is wrong. */
function readLayer({ entries, mistake }: Layer, settings: Record<string, unknown>): string[] {
  if (mistake !== undefined) return [mistake];
  return entries.flatMap(({ option, label, value, base }) => {
    const result = option.read(value);
    if ('mistake' in result) return [`${label} ${result.mistake}.`];
    settings[option.name] = option.path ? resolveFrom(String(result.value), base) : result.value;
    return [];
  });
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
  throw new SetupError(`There are two config files, ${names}. Remove one, or choose one with --config.`, {
    usage: true,
  });
}

function fromFile(source: Source, cwd: string): Layer {
  const file = relative(cwd, source.location) || source.location;
  const data = source.data ?? {};
  if (!isObject(data) || Array.isArray(data)) {
    return { entries: [], unknown: [], mistake: `${file} must be a mapping of options, like port: 4010.` };
  }
  // Editors read `$schema`, to know the options.
  const values = Object.entries(data).filter(([name]) => name !== '$schema');
  return toLayer(values, COMMAND_OPTIONS, ({ name }) => name, {
    place: (name) => `${file}, ${source.line([name])}: `,
    base: dirname(source.location),
  });
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

interface LayerOrigin {
  /** Where in the source an option is written. */
  readonly place?: (written: string) => string;
  readonly base?: string;
  /** Finds the option that an unknown name probably stands for. */
  readonly suggest?: (written: string) => string | undefined;
}

type Values = readonly (readonly [written: string, value: unknown])[];

function toLayer(
  values: Values,
  options: readonly Option[],
  write: (option: Option) => string,
  { place = () => '', base = '', suggest }: LayerOrigin = {},
): Layer {
  const byWritten = new Map(options.map((option) => [write(option), option]));
  const byName = new Map(options.map((option) => [option.name, write(option)]));
  const findWritten =
    suggest ?? ((written: string) => byName.get(findNearest(written, [...byName.keys()]) ?? ''));
  const entries: GivenOption[] = [];
  const unknown: string[] = [];
  for (const [written, value] of values) {
    const option = byWritten.get(written);
    if (option) entries.push({ option, label: place(written) + written, value, base });
    else unknown.push(place(written) + toUnknownOption(written, findWritten(written)));
  }
  return { entries, unknown };
}

function resolveFrom(location: string, base: string): string {
  return base === '' || location === '-' || isUrl(location) ? location : resolve(base, location);
}

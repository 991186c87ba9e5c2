import type { Option } from './option.ts';
import { OPTIONS } from './options.ts';

const ALL: readonly Option[] = Object.entries(OPTIONS).map(([name, option]) => ({ name, ...option }));

/** The options of `createMock`. */
export const LIBRARY_OPTIONS: readonly Option[] = ALL.filter(({ scope }) => scope !== 'command');

/** The options that the command takes from flags, environment and config file. */
export const COMMAND_OPTIONS: readonly Option[] = ALL.filter(({ scope }) => scope !== 'library');

/** The option that names the config file: a flag and a variable, but nothing in the file itself. */
export const CONFIG_OPTION: Omit<Option, 'scope' | 'read'> = {
  name: 'config',
  flag: '--config <file>',
  description: 'a JSON or YAML file with options',
  default: undefined,
  defaultText: 'petstore-mock.config.json, .yaml or .yml, if there is one',
};

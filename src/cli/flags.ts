import { type Command, Option as Flag } from 'commander';
import type { Option } from '../core/service/service.ts';
import { COMMAND_OPTIONS, CONFIG_OPTION } from '../core/service/service.ts';

/** The flags of the command, with the name of the option that each one sets. */
export const FLAGS: readonly { readonly name: string; readonly flag: Flag }[] = [
  ...COMMAND_OPTIONS,
  CONFIG_OPTION,
].flatMap((option) =>
  option.flag === undefined ? [] : [{ name: option.name, flag: toFlag(option, option.flag) }],
);

/** Collects the flags that were typed, without commander's defaults, by the name of their option. */
export function givenFlags(program: Command): Record<string, unknown> {
  const given = FLAGS.map(({ name, flag }) => [name, flag.attributeName()] as const).filter(
    ([, attribute]) => program.getOptionValueSource(attribute) === 'cli',
  );
  return Object.fromEntries(given.map(([name, attribute]) => [name, program.getOptionValue(attribute)]));
}

function toFlag(
  option: Pick<Option, 'description' | 'default' | 'defaultText' | 'list'>,
  declaration: string,
): Flag {
  const shown = toDefault(option);
  const flag = new Flag(declaration, option.description + (shown === '' ? '' : ` (default: ${shown})`));
  return option.list ? flag.argParser((value, former: string[] = []) => [...former, value]) : flag;
}

/** The default as `--help` shows it; empty if it is obvious. */
function toDefault({ default: value, defaultText }: Pick<Option, 'default' | 'defaultText'>): string {
  return defaultText ?? (['number', 'string'].includes(typeof value) ? String(value) : '');
}

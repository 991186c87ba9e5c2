import type { Reader } from './option-readers.ts';
import type { OptionSchema } from './option-schemas.ts';
import type { MockOptions, ServiceOptions } from './service-options.ts';
import type { Settings } from './settings.ts';

/** One option in all its forms. */
export interface Option {
  /** The name in the config file and in code. The environment variable follows from it. */
  readonly name: string;
  /** The flag as `commander` declares it. An option without a flag has no environment variable either. */
  readonly flag?: string;
  /** One line for `--help` and the README. */
  readonly description: string;
  readonly default: unknown;
  /** Describes a default that is not a plain value. */
  readonly defaultText?: string;
  readonly scope: 'library' | 'command' | 'both';
  /** Reads a value from the command line, the environment, the config file or code. */
  readonly read: Reader<unknown>;
  /** Reads a value from code, where code may give more or less than text can say. */
  readonly readInCode?: Reader<unknown>;
  /** Its form in the config file, for editors. `read` accepts text too. */
  readonly schema?: OptionSchema;
  /** Names a file, relative to the place that names it. */
  readonly path?: true;
  /** The flag may be repeated, and the variable may hold several values with `;` in between. */
  readonly list?: true;
  /** Read only at startup: a reload cannot change it. */
  readonly fixed?: true;
}

/** The table of all options. It compiles only if every option has an entry and every entry fits the type of its option. */
export type OptionTable = {
  readonly [Name in keyof Settings]-?: CommandEntry<Name>;
} & {
  readonly [Name in Exclude<keyof MockOptions, keyof Settings>]-?: LibraryEntry<Name>;
};

type CommandEntry<Name extends keyof Settings> = Omit<Option, 'name'> & {
  readonly default: Settings[Name];
  readonly read: Reader<Required<Settings>[Name]>;
  readonly schema: OptionSchema;
} & (undefined extends Settings[Name] ? { readonly defaultText: string } : unknown) &
  (Name extends keyof MockOptions
    ? { readonly scope: 'both'; readonly readInCode?: Reader<Required<MockOptions>[Name]> }
    : { readonly scope: 'command'; readonly readInCode?: never }) &
  (Name extends keyof ServiceOptions ? { readonly fixed?: never } : { readonly fixed: true });

type LibraryEntry<Name extends keyof MockOptions> = Omit<Option, 'name' | 'flag'> & {
  readonly scope: 'library';
  readonly read: Reader<Required<MockOptions>[Name]>;
};

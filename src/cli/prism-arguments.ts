import { SetupError } from '../base/problem.ts';
import { COMMAND_NAMES, isDocumentName } from './document-argument.ts';
import { FLAGS as OWN_FLAGS } from './flags.ts';

/** The arguments of the command, and those among them that mean something to Prism and nothing here. */
interface TranslatedArguments {
  readonly argv: readonly string[];
  readonly ignored: readonly string[];
}

/**
 * Translates the flags that only Prism has, so that a script for it starts this server: `-p`, `-h` with a value, `-d`, `-m`, `-v`,
 * `--errors`, `--cors`, `--ignoreExamples` and those for its generator. Also keeps `--stateless` from swallowing the document behind
 * it, and reads `--watch=true`. Everything else stays as it is.
 */
export function translateArguments(given: readonly string[]): TranslatedArguments {
  const argv: string[] = [];
  const ignored: string[] = [];
  for (let at = 0; at < given.length; at++) {
    const token = given[at] as string;
    if (token === '--') return { argv: [...argv, ...given.slice(at)], ignored };
    const { name, attached } = splitFlag(token);
    const flag = findFlag(name);
    if (!flag) {
      argv.push(...readSwitch(token, name, attached));
      continue;
    }
    const next = attached === undefined ? given[at + 1] : undefined;
    const taken = next !== undefined && flag.takes(next) ? [next] : [];
    const translated = flag.translate(taken[0] ?? attached);
    if (translated) argv.push(...translated);
    else ignored.push([token, ...taken].join(' '));
    at += taken.length;
  }
  return { argv, ignored };
}

/** The flags of ours that take no value. */
const SWITCHES: ReadonlySet<string> = new Set(
  OWN_FLAGS.flatMap(({ flag }) => (flag.required || flag.optional ? [] : [flag.long ?? ''])),
);

/** Reads `--watch=true` as `--watch`, as many programs do. No flag undoes what a config file switches on. */
function readSwitch(token: string, name: string, value: string | undefined): readonly string[] {
  if (value === undefined || !SWITCHES.has(name)) return [token];
  if (value === 'true') return [name];
  throw new SetupError('option-invalid', `${name} takes no value. Write ${name} alone, or leave it out.`, {
    usage: true,
  });
}

/** A flag of Prism. */
interface PrismFlag {
  /** Whether the next argument is its value. */
  readonly takes: (next: string) => boolean;
  /** The same in our flags; `undefined` if it has no meaning here. */
  readonly translate: (value: string | undefined) => readonly string[] | undefined;
}

/** Whether a word is the value of the flag before it, which may also stand alone, as in `--stateless check api.yaml`. */
const isValue = (next: string) =>
  !next.startsWith('-') && !isDocumentName(next) && !COMMAND_NAMES.includes(next);
const isWord = (next: string) => !next.startsWith('-');
const isBoolean = (next: string) => next === 'true' || next === 'false';

function withValue(flag: string, alone: string = flag): PrismFlag {
  return {
    takes: alone === flag ? isWord : isValue,
    translate: (value) => (value === undefined ? [alone] : [flag, value]),
  };
}

function toSwitch(on: readonly string[], off: readonly string[]): PrismFlag {
  return { takes: isBoolean, translate: (value) => (value === 'false' ? off : on) };
}

const WITHOUT_MEANING: PrismFlag = { takes: isBoolean, translate: () => undefined };

const LEVELS: Readonly<Record<string, string>> = { trace: 'debug', success: 'info', fatal: 'error' };

const VERBOSITY: PrismFlag = {
  takes: isWord,
  translate: (level) => ['--log-level', ...(level === undefined ? [] : [LEVELS[level] ?? level])],
};

const DYNAMIC = toSwitch(['--dynamic'], []);

/** By name, those of several letters in lower case without hyphens, since Prism takes both `--ignoreExamples` and `--ignore-examples`. */
const FLAGS: Readonly<Record<string, PrismFlag>> = {
  '-p': withValue('--port'),
  '-h': withValue('--host', '--help'),
  '-d': DYNAMIC,
  '-v': VERBOSITY,
  '-m': WITHOUT_MEANING,
  '--dynamic': DYNAMIC,
  // A flag of ours: the document behind it is not the name of a resource.
  '--stateless': { takes: isValue, translate: (value) => [`--stateless=${value ?? 'true'}`] },
  '--cors': toSwitch([], ['--no-cors']),
  '--ignoreexamples': DYNAMIC,
  '--verboselevel': VERBOSITY,
  '--multiprocess': WITHOUT_MEANING,
  // Every wrong request is answered with an error here.
  '--errors': WITHOUT_MEANING,
  '--noerrors': WITHOUT_MEANING,
};

function findFlag(name: string): PrismFlag | undefined {
  if (!name.startsWith('--')) return Object.hasOwn(FLAGS, name) ? FLAGS[name] : undefined;
  const plain = `--${name.replaceAll('-', '').toLowerCase()}`;
  if (plain.startsWith('--jsonschemafaker')) return WITHOUT_MEANING;
  return Object.hasOwn(FLAGS, plain) ? FLAGS[plain] : undefined;
}

/** `--cors=false` → `--cors` and `false`; `-p4010` → `-p` and `4010` */
function splitFlag(token: string): { readonly name: string; readonly attached: string | undefined } {
  const [, short, joined] = /^(-[phv])=?([^=].*)$/s.exec(token) ?? [];
  if (short !== undefined) return { name: short, attached: joined };
  const mark = token.startsWith('-') ? token.indexOf('=') : -1;
  if (mark < 0) return { name: token, attached: undefined };
  return { name: token.slice(0, mark), attached: token.slice(mark + 1) };
}

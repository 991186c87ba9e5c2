import { access, constants, readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { findNearest } from './find-nearest.ts';
import { SetupError } from './problem.ts';

/** The reason why a file cannot be used, as a sentence, and the next step. */
interface FileMistake {
  readonly reason: string;
  readonly remedy: string;
}

/** Explains why a file or directory cannot be read. `what` describes it in messages: `document`, `config file`. */
export async function toReadError(cause: unknown, location: string, what: string): Promise<SetupError> {
  const { code = '' } = cause as NodeJS.ErrnoException;
  const explain = EXPLANATIONS[code];
  const { reason, remedy } = explain
    ? await explain(location, what)
    : { reason: `Failed to read the ${what} ${location}: ${(cause as Error).message}.`, remedy: CHECK };
  return new SetupError(MISSING.has(code) ? 'file-missing' : 'file-unreadable', `${reason} ${remedy}`, {
    cause,
  });
}

/** Explains why a file cannot be written. `what` describes it in messages: `report`. `option` names the flag for another one. */
export async function toWriteError(
  cause: unknown,
  location: string,
  { what, option }: { readonly what: string; readonly option: string },
): Promise<SetupError> {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  const missing = code === 'ENOENT' ? await findMissingDirectory(location) : undefined;
  const other = `Choose another file with ${option}.`;
  const [reason, remedy] =
    missing !== undefined
      ? [`the directory ${missing} does not exist`, `Create it, or choose another file with ${option}.`]
      : code === 'EISDIR'
        ? ['it is a directory', `Name a file in it with ${option}.`]
        : NOT_ALLOWED.has(code)
          ? ['you are not allowed to', other]
          : FULL.has(code)
            ? ['the disk is full', `Free space on it, or choose another file with ${option}.`]
            : [toReason(message), other];
  const text = `Failed to write the ${what} to ${location}: ${reason}. ${remedy}`;
  return new SetupError('file-unwritable', text, { cause });
}

/** The reason without the call that failed, which may name another file at each attempt. */
function toReason(message: string): string {
  return message.replace(/, \w+(?: '.*')?$/s, '');
}

const MISSING: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);
const NOT_ALLOWED: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

async function explainMissing(location: string, what: string): Promise<FileMistake> {
  const reason = `There ${what === 'fixtures' ? 'are' : 'is'} no ${what} at ${location}.`;
  const directory = await findMissingDirectory(location);
  if (directory !== undefined)
    return { reason, remedy: `The directory ${directory} does not exist. Check the path.` };
  const names = await listNames(dirname(location));
  const meant = findMeant(basename(location), names);
  if (meant === undefined) return { reason, remedy: 'Check the path.' };
  return { reason, remedy: `Did you mean ${join(dirname(location), meant)}?` };
}

async function explainDirectory(location: string, what: string): Promise<FileMistake> {
  const files = (await listNames(location)).filter((name) => READABLE.test(name));
  const likely = what === 'document' ? files.find((name) => /openapi|swagger|api/i.test(name)) : undefined;
  const likeliest = likely ?? (files.length === 1 ? files[0] : undefined);
  const example = likeliest === undefined ? '' : `, such as ${join(location, likeliest)}`;
  return { reason: `${location} is a directory.`, remedy: `Name the ${what} in it${example}.` };
}

const READABLE = /\.(json|ya?ml)$/i;

async function explainDenied(location: string, what: string): Promise<FileMistake> {
  const reason = `You are not allowed to read the ${what} ${location}.`;
  const directory = dirname(location);
  const isClosed = await access(directory, constants.X_OK).then(
    () => false,
    () => true,
  );
  if (isClosed) return { reason, remedy: `Its directory cannot be entered. Allow it: chmod +x ${directory}` };
  const isDirectory = await stat(location).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  return { reason, remedy: `Allow it: chmod ${isDirectory ? '+rx' : '+r'} ${location}` };
}

const CHECK = 'Check the path.';

/** Explanations by the code of the failure. */
const EXPLANATIONS: Readonly<
  Record<string, (location: string, what: string) => Promise<FileMistake> | FileMistake>
> = {
  ENOENT: explainMissing,
  EISDIR: explainDirectory,
  EACCES: explainDenied,
  EPERM: explainDenied,
  ENOTDIR: (location, what) => ({
    reason: `There is no ${what} ${location}, because a part of that path is a file and not a directory.`,
    remedy: CHECK,
  }),
  ELOOP: (location, what) => ({
    reason: `Failed to read the ${what} ${location}: its symbolic links lead in a circle.`,
    remedy: 'Correct the links, or name the file itself.',
  }),
};

/** The file that a mistyped name most likely stands for: one with another extension, or one that is spelled alike. */
function findMeant(name: string, names: readonly string[]): string | undefined {
  const stemOf = (file: string) => file.slice(0, file.length - extname(file).length).toLowerCase();
  const readable = names.filter((file) => READABLE.test(file) || extname(file) === extname(name));
  return (
    readable.find((file) => stemOf(file) === stemOf(name)) ??
    readable.find((file) => stemOf(file) === name.toLowerCase()) ??
    findNearest(name, readable)
  );
}

/** The outermost directory of a path that does not exist; `undefined` if all exist. */
async function findMissingDirectory(location: string): Promise<string | undefined> {
  let missing: string | undefined;
  for (let at = dirname(location); at !== dirname(at); at = dirname(at)) {
    const exists = await access(at).then(
      () => true,
      () => false,
    );
    if (exists) return missing;
    missing = at;
  }
  return missing;
}

function listNames(directory: string): Promise<string[]> {
  return readdir(directory).then(
    (names) => names.sort(),
    () => [],
  );
}

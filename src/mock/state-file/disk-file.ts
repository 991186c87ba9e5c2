import { createHash, randomBytes } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import {
  access,
  constants,
  copyFile,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { toReadError, toWriteError } from '../../base/file-mistake.ts';
import { SetupError } from '../../base/problem.ts';

/** A file that only this program writes. */
export interface DiskFile {
  /** With symbolic links followed. */
  readonly path: string;
  /** The content of the file at the start; `undefined` if it did not exist. */
  readonly found: Uint8Array | undefined;
  /**
   * Replaces the text at once: whoever reads the file sees the former text or the new one. A file that another program has changed
   * since stays as it is, and the text goes to the one beside it. Does nothing where the file has that text already. `backup` keeps
   * the former text in a file of that name.
   */
  write(parts: Iterable<string>, backup?: string): Promise<'written' | 'beside'>;
  /** The file for a text that may not replace that of another program. */
  readonly beside: string;
}

/** A text that was read or written here. */
interface KnownText {
  readonly stats: BigIntStats;
  readonly hash: string;
}

/** Opens a file that may not exist yet. Throws a SetupError if it can be neither read nor written. */
export async function openDiskFile(given: string, what: string): Promise<DiskFile> {
  const path = await findPath(given);
  const { bytes, stats } = await readIfThere(path, what);
  await checkDirectory(path);
  await removeLeftovers(path);
  let known: KnownText | undefined = bytes && stats && { stats, hash: toHash(bytes) };
  const beside = `${path}.new`;
  return {
    path,
    found: bytes,
    beside,
    async write(parts, backup) {
      const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
      try {
        const former = await statIfThere(path);
        await checkRights(path, former);
        const text = await writeText(temporary, parts, former);
        // Only now: writing may have taken long.
        const current = await statIfThere(path);
        if (current && !(await isSame(path, current, known))) {
          await rename(temporary, beside);
          return 'beside';
        }
        known = await replace({ path, current, known, backup }, temporary, text);
        return 'written';
      } finally {
        await rm(temporary, { force: true });
      }
    },
  };
}

interface Former {
  readonly path: string;
  readonly current: BigIntStats | undefined;
  readonly known: KnownText | undefined;
  readonly backup: string | undefined;
}

/** Puts a written text in the place of the former one. Returns what the file has then. */
async function replace(
  { path, current, known, backup }: Former,
  temporary: string,
  text: KnownText,
): Promise<KnownText> {
  // A text that is there already would only wake those who watch the file.
  if (current && text.hash === known?.hash) return { ...text, stats: current };
  if (current && backup !== undefined) await copyFile(path, backup);
  await rename(temporary, path);
  return text;
}

/** Follows symbolic links, so that a write replaces the file and not the link. */
async function findPath(given: string): Promise<string> {
  const path = resolve(given);
  return realpath(path).catch(async () => {
    const directory = await realpath(dirname(path)).catch(() => dirname(path));
    return join(directory, basename(path));
  });
}

async function readIfThere(path: string, what: string) {
  try {
    const stats = await statIfThere(path);
    if (!stats) return {};
    // A pipe or a device might never end.
    if (!stats.isFile() && !stats.isDirectory())
      throw new SetupError('file-unreadable', `The ${what} ${path} is not a file. Check the path.`);
    return { stats, bytes: await readFile(path) };
  } catch (cause) {
    throw cause instanceof SetupError ? cause : await toReadError(cause, path, what);
  }
}

function statIfThere(path: string): Promise<BigIntStats | undefined> {
  return stat(path, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

async function checkDirectory(path: string): Promise<void> {
  await access(dirname(path), constants.W_OK).catch(async (cause: unknown) => {
    throw await toUnwritable(cause, path);
  });
}

/** Respects a read-only file: renaming another one over it would work, but its owner wants it to stay. */
async function checkRights(path: string, stats: BigIntStats | undefined): Promise<void> {
  if (!stats) return;
  const isWritable = (Number(stats.mode) & 0o222) !== 0;
  if (
    isWritable &&
    (await access(path, constants.W_OK).then(
      () => true,
      () => false,
    ))
  )
    return;
  const remedy = 'Allow it with chmod u+w, or choose another file with --state.';
  throw new SetupError('file-unwritable', `Failed to write the state to ${path}: it is read-only. ${remedy}`);
}

/** Explains why the state cannot be written. */
export async function toUnwritable(cause: unknown, path: string): Promise<SetupError> {
  if (cause instanceof SetupError) return cause;
  return toWriteError(cause, path, { what: 'state', option: '--state' });
}

const LEFTOVER_MS = 60_000;

/** Removes what a program that was killed in the middle of a write has left. */
async function removeLeftovers(path: string): Promise<void> {
  const [directory, start] = [dirname(path), `${basename(path)}.`];
  const names = await readdir(directory).catch(() => []);
  const left = names.filter((name) => name.startsWith(start) && LEFTOVER.test(name.slice(start.length)));
  for (const name of left) {
    const stats = await statIfThere(join(directory, name)).catch(() => undefined);
    const isOld = stats && Date.now() - Number(stats.mtimeMs) > LEFTOVER_MS;
    // Another mock may be writing the others right now.
    if (isOld) await rm(join(directory, name), { force: true }).catch(() => {});
  }
}

const LEFTOVER = /^[\da-f]{12}\.tmp$/;

/** Writes a new file down to the disk, with the rights of the one that it is to replace, else for its user alone. */
async function writeText(
  path: string,
  parts: Iterable<string>,
  former: BigIntStats | undefined,
): Promise<KnownText> {
  const hash = createHash('sha256');
  function* noting(): Generator<string, undefined> {
    for (const part of parts) {
      hash.update(part);
      yield part;
    }
  }
  const file = await open(path, 'wx', 0o600);
  try {
    if (former) await file.chmod(Number(former.mode) & 0o777);
    await writeFile(file, noting());
    await file.sync();
    return { stats: await file.stat({ bigint: true }), hash: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

/** Whether a file has the text that is known. Reads it only if it was touched. */
async function isSame(path: string, current: BigIntStats, known: KnownText | undefined): Promise<boolean> {
  if (!known) return false;
  const { stats, hash } = known;
  const isUntouched =
    current.ino === stats.ino && current.mtimeNs === stats.mtimeNs && current.size === stats.size;
  return isUntouched || toHash(await readFile(path)) === hash;
}

function toHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

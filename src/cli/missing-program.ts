import { readdir, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { findNearest } from '../base/find-nearest.ts';
import { SetupError } from '../base/problem.ts';
import { isObject } from '../schema/schema.ts';
import { findPathName } from './exec-environment.ts';

interface MissingProgram {
  readonly name: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** Explains why a command cannot be started. Suggests programs, scripts of package.json, and the line without its quotes. */
export async function toProgramError(cause: unknown, program: MissingProgram): Promise<SetupError> {
  const { code, message } = cause as NodeJS.ErrnoException;
  const name = JSON.stringify(program.name);
  if (code !== 'ENOENT') {
    const hint =
      code === 'EACCES' ? `Make it executable ("chmod +x"), or name the program that runs it.` : '';
    return new SetupError(
      'command-denied',
      `The command ${name} cannot be started (${message}). ${hint}`.trim(),
      { cause },
    );
  }
  return new SetupError('command-missing', `The command ${name} does not exist. ${await toRemedy(program)}`, {
    cause,
  });
}

async function toRemedy({ name, env, cwd }: MissingProgram): Promise<string> {
  if (/\s/.test(name)) return `Write it without the quotes: petstore-mock exec -- ${name}`;
  if (/^\w+=/.test(name))
    return `No shell reads the line. Set the variable before petstore-mock, or with --env ${name}`;
  const scripts = await readScripts(cwd);
  if (scripts.includes(name)) return `It is a script of package.json. Did you mean npm run ${name}?`;
  const program = findNearest(name, await readPrograms(env));
  if (program !== undefined) return `Did you mean ${program}?`;
  const script = findNearest(name, scripts);
  if (script !== undefined) return `Did you mean npm run ${script}?`;
  return 'Install it, or correct its name. Programs of node_modules/.bin and of PATH are found.';
}

async function readScripts(cwd: string): Promise<string[]> {
  try {
    const file: unknown = JSON.parse(await readFile(join(cwd, 'package.json'), 'utf8'));
    return isObject(file) && isObject(file.scripts) ? Object.keys(file.scripts) : [];
  } catch {
    return [];
  }
}

/** The names of all programs on the path, without the extensions that Windows adds. */
async function readPrograms(env: MissingProgram['env']): Promise<string[]> {
  const folders = new Set((env[findPathName(env)] ?? '').split(delimiter));
  const lists = [...folders].map((folder) => readdir(folder).catch(() => []));
  return (await Promise.all(lists)).flat().map((file) => file.replace(/\.(cmd|exe|ps1|bat)$/i, ''));
}

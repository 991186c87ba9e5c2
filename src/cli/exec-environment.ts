import { delimiter, dirname, join } from 'node:path';
import { SetupError } from '../base/problem.ts';
import { SHARDS_VARIABLE } from '../mock/coverage/coverage.ts';
import { URL_VARIABLE } from './variables.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Builds the environment of a command: ours, the URL of the mock by every name that `--env` gives, the folder for the coverage of mocks
 * of its own, and the programs of its packages.
 */
export function toEnvironment(
  { env, cwd }: { readonly env: Environment; readonly cwd: string },
  url: string,
  names: readonly string[],
  shards: string,
): Record<string, string | undefined> {
  const path = findPathName(env);
  return {
    ...env,
    [path]: [...toProgramFolders(cwd), ...(env[path] ? [env[path]] : [])].join(delimiter),
    [URL_VARIABLE]: url,
    [SHARDS_VARIABLE]: shards,
    ...Object.fromEntries(names.map((name) => toVariable(name, url))),
  };
}

/** Throws a SetupError for the first invalid value of `--env`. */
export function checkNames(names: readonly string[]): void {
  for (const name of names) toVariable(name, '');
}

/** Reads `API_URL`, `API_URL=/v1` for a path below the URL, and `API_URL={url}/v1` for any text around it. */
function toVariable(given: string, url: string): [name: string, value: string] {
  const mark = given.includes('=') ? given.indexOf('=') : given.length;
  const [name, value] = [given.slice(0, mark), given.slice(mark + 1)];
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    const message = `--env ${JSON.stringify(given)} names no variable. Write it like --env API_URL or --env API_URL={url}/v1.`;
    throw new SetupError('option-invalid', message, { usage: true });
  }
  return [name, value === '' || value.startsWith('/') ? url + value : value.replaceAll('{url}', url)];
}

/** The folders in which npm puts the programs of packages, from the working directory up, as `npx` and `npm run` look there. */
function toProgramFolders(cwd: string): string[] {
  const parent = dirname(cwd);
  return [join(cwd, 'node_modules', '.bin'), ...(parent === cwd ? [] : toProgramFolders(parent))];
}

/** The variable of the path. Windows calls it `Path`, and does not mind the case. */
export function findPathName(env: Environment): string {
  if (env.PATH !== undefined || delimiter !== ';') return 'PATH';
  return Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
}

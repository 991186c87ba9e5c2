import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const execute = promisify(execFile);

/** Below the time that a test has, so that it leaves no process behind. */
const MOST_MS = 25_000;

/** A server that the built command runs in a process of its own. */
export interface StartedServer {
  readonly url: string;
  /** All that it has printed. */
  output(): string;
  stop(): Promise<void>;
}

/** Runs a line of the shell, in the folder of the package unless given, and gives what it prints, whether it fails or not. */
export async function runLine(
  line: string,
  env: Readonly<Record<string, string>> = {},
  cwd: string = ROOT,
): Promise<string> {
  const options = { cwd, env: { ...plainEnvironment(), ...env }, timeout: MOST_MS };
  return await execute('sh', ['-c', line], options).then(
    ({ stdout }) => stdout,
    (failure: { code?: number; stdout: string }) => {
      if (failure.code === undefined) throw failure;
      return failure.stdout;
    },
  );
}

/** Starts a server with a line of the shell, and resolves once it listens and has said all that it has to say. */
export async function startServer(line: string, cwd: string = ROOT): Promise<StartedServer> {
  const child = spawn('sh', ['-c', `exec ${line} 2>&1`], { cwd, env: plainEnvironment() });
  const exited = once(child, 'exit');
  const impatience = setTimeout(() => child.kill(), MOST_MS);
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      output += text;
      const [, found] = /listens on (\S+)\n[\s\S]*Ctrl\+C stops it\./.exec(output) ?? [];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`"${line}" ended with ${code}:\n${output}`)));
  }).finally(() => clearTimeout(impatience));
  return {
    url,
    output: () => output,
    async stop() {
      child.kill();
      await exited;
    },
  };
}

/** The environment without the settings of a surrounding npm, and without proxies and settings of curl. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env);
  const own = entries.filter(
    ([name]) => !/^(npm_|node_env$|petstore|force_color$|(https?|all)_proxy$)/i.test(name),
  );
  return { ...Object.fromEntries(own), CURL_HOME: '/' };
}

import { main, type Terminal } from '../../src/cli/cli.ts';

/** What a run of the command left behind. */
export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command until it ends. A server is asked as soon as it listens, and stopped then. */
export async function runCommand(
  argv: readonly string[],
  given: Partial<Terminal> = {},
  ask: (url: string) => Promise<unknown> = async () => undefined,
): Promise<CommandResult> {
  let out = '';
  let err = '';
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let asked: Promise<unknown> = Promise.resolve();
  const code = await main(argv, {
    env: {},
    cwd: process.cwd(),
    isTTY: false,
    out(text) {
      out += text;
      const [, url] = /listens on (http:\/\/\S+)/.exec(text) ?? [];
      if (url) asked = ask(url).finally(stop);
    },
    err(text) {
      err += text;
    },
    stopped: () => stopped,
    ...given,
  });
  await asked;
  return { code, out, err };
}

/** The same without the codes of messages, and without the line about them. */
export function withoutCodes<T extends Pick<CommandResult, 'out' | 'err'>>(result: T): T {
  return { ...result, out: dropCodes(result.out), err: dropCodes(result.err) };
}

function dropCodes(text: string): string {
  return text.replace(/ \[[a-z-]+\]$/gm, '').replace(/^"petstore-mock explain .*" says more\.\n/gm, '');
}

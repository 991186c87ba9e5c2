import type { Command } from 'commander';
import { FINDING_KINDS } from '../mock/coverage/coverage.ts';
import type { ExecOptions } from './exec.ts';

/** Adds the command `exec`. What it runs was cut off the arguments before. */
export function addExec(
  program: Command,
  command: readonly string[],
  run: (words: string[], options: ExecOptions) => Promise<void>,
): void {
  program
    .command('exec')
    .argument('[document...]', 'the document, like --spec')
    .usage('[document] [options] -- <command> [args...]')
    .description('run a command against a mock of its own, and report how it uses the contract')
    .option(
      '--env <name>',
      'a further variable for the URL of the mock, beside PETSTORE_MOCK_URL; NAME, NAME=/v1 or NAME={url}/v1; repeatable',
      (value: string, former: string[] = []) => [...former, value],
    )
    .option(
      '--fail-on <kinds>',
      `exit with 1 after findings of these kinds: ${FINDING_KINDS.join(',')}; or none`,
      'unknown',
    )
    .option('--parallel', 'run every word as a command line of its own, side by side, each in a session')
    .addHelpText('after', HELP)
    .action((words: string[], options: ExecOptions) => {
      if (command.length === 0)
        program.error(
          "error: 'exec' has no command to run\n(Write it at the end, as in: petstore-mock exec -- npm test)",
        );
      return run(words, options);
    });
}

const HELP = `
All options of the server work too, such as --spec and --error. It listens on a free port of 127.0.0.1, unless --port and --host
say otherwise, and logs to stderr what --log-level asks for.

Examples:
  petstore-mock exec -- npm test
  petstore-mock exec api.yaml --env VITE_API_URL={url}/v1 --fail-on violations,unknown -- vitest run
  petstore-mock exec --parallel -- "npm run test:unit" "npm run test:e2e"`;

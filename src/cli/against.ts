import type { Command } from 'commander';
import { SetupError } from '../base/problem.ts';
import type { ProviderOptions } from '../mock/check/check.ts';

/** The options of `check` for a provider's server. */
export interface AgainstSettings {
  /** Its base URL. */
  readonly against?: string;
  /** Headers for it, as in `Authorization: Bearer TOKEN`. */
  readonly header?: readonly string[];
  readonly unsafe?: boolean;
  readonly timeout?: string;
}

/** Adds the options to the command. */
export function addAgainst(command: Command): Command {
  return command
    .option('--against <url>', "ask a provider's server instead of the mock, by GET, HEAD and OPTIONS")
    .option(
      '--header <header>',
      'with --against: a header for every question, like "Authorization: Bearer TOKEN", which is not printed; repeatable',
      (value: string, former: string[] = []) => [...former, value],
    )
    .option('--unsafe', 'with --against: also ask what may change something; use a server for tests')
    .option('--timeout <ms>', 'with --against: how long an answer may take (default: 10000)');
}

/** Reads the options. Throws a SetupError without the values of headers. */
export function readAgainst({
  against,
  header = [],
  unsafe,
  timeout,
}: AgainstSettings): ProviderOptions | undefined {
  if (against === undefined) {
    if (header.length === 0 && unsafe === undefined && timeout === undefined) return undefined;
    throw refuse('--header, --unsafe and --timeout need --against URL.');
  }
  return {
    url: against,
    headers: Object.fromEntries(header.map(readHeader)),
    ...(unsafe && { unsafe }),
    ...(timeout !== undefined && { timeout: /^\d+$/.test(timeout) ? Number(timeout) : Number.NaN }),
  };
}

/** Without quotes, the shell would make several words of a header, and the last one would be taken for something else. */
function readHeader(header: string): [name: string, value: string] {
  const mark = header.indexOf(':');
  const value = header.slice(mark + 1).trim();
  if (mark > 0 && value !== '' && !/^(basic|bearer|digest|token)$/i.test(value))
    return [header.slice(0, mark).trim(), value];
  throw refuse('--header needs a name and a value in quotes, like --header "Authorization: Bearer TOKEN".');
}

function refuse(message: string): SetupError {
  return new SetupError('option-invalid', message, { usage: true });
}

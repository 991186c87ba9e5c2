import { escapeControlsInLines } from '../base/printable.ts';
import type { SetupError } from '../base/problem.ts';
import type { SetupCode } from '../base/setup-code.ts';

/** The message of a failed start for the terminal. The code stands behind the first line; more lines have details. */
export function toSetupMessage({ message, code }: Pick<SetupError, 'message' | 'code'>): string {
  const [first, ...details] = message.split('\n');
  return escapeControlsInLines([`${first} [${code}]`, ...details, toExplainHint(code)].join('\n'));
}

/** A message of the command line itself, which commander words. */
export function toUsageMessage(text: string): string {
  const code: SetupCode = 'usage-invalid';
  return `${text.trimEnd()} [${code}]\n`;
}

function toExplainHint(code: SetupCode): string {
  return `"petstore-mock explain ${code}" says more.`;
}

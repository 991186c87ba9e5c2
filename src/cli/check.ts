import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { toWriteError } from '../base/file-mistake.ts';
import type { CheckReport, ProviderOptions } from '../mock/check/check.ts';
import type { Mock } from '../mock/mock.ts';
import { type AgainstSettings, readAgainst } from './against.ts';
import { loadMock, loadSettings, printWarnings, toMockOptions } from './load-mock.ts';
import { formatReport, formatSummary, type ReportFormat } from './report.ts';
import type { Terminal } from './terminal.ts';

export interface CheckSettings extends AgainstSettings {
  readonly format: ReportFormat;
  /** The file to write the report to, relative to the working directory. */
  readonly output?: string;
}

/** Runs `check`. Resolves to whether there were no violations. */
export async function runCheck(
  terminal: Terminal,
  flags: () => Readonly<Record<string, unknown>>,
  wanted: CheckSettings,
): Promise<boolean> {
  const against = readAgainst(wanted);
  const settings = await loadSettings(terminal, flags());
  const { state: _, ...options } = toMockOptions(settings);
  const mock = await loadMock(terminal, settings, options);
  printWarnings(terminal, mock.warnings);
  const onProgress = terminal.isTTY ? terminal.err : undefined;
  const { text, passed } = await checkMock(mock, { ...wanted, against }, terminal.cwd, onProgress);
  terminal.out(text);
  return passed;
}

/** Checks a mock and writes the report. Resolves to the text to print, and to whether there were no violations. */
async function checkMock(
  mock: Mock,
  {
    format,
    output,
    against,
  }: Omit<CheckSettings, 'against'> & { readonly against: ProviderOptions | undefined },
  cwd: string,
  onProgress: ((text: string) => void) | undefined,
): Promise<{ readonly text: string; readonly passed: boolean }> {
  const report = await mock.check({
    ...(against && { against }),
    ...(onProgress && {
      onProgress: (done, all) => onProgress(`\r${done}/${all}${done === all ? '\n' : ''}`),
    }),
  });
  const passed = isPassed(report);
  const text = `${formatReport(report, format)}\n`;
  if (output === undefined) return { text, passed };
  const file = resolve(cwd, output);
  await writeFile(file, text).catch(async (cause: unknown) => {
    throw await toWriteError(cause, file, { what: 'report', option: '--output' });
  });
  return { text: `${formatSummary(report)}\n`, passed };
}

/** A provider that answered nothing with success, perhaps for want of credentials, has proved nothing. */
function isPassed({ against, operations, violations }: CheckReport): boolean {
  const isProved = operations.some(({ cases }) => cases.some(({ status }) => status >= 200 && status < 300));
  return violations.length === 0 && (against === undefined || isProved);
}

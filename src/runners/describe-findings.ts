import { escapeControls } from '../base/printable.ts';
import { isUsualCredential, redactQuery } from '../base/redact/redact.ts';
import { toBreachText } from '../core/journal/journal.ts';
import type { JournalEntry } from '../index.ts';

const MOST_LINES = 20;
const LONGEST_LINE = 1000;

/** Describes the requests of a test that broke the contract or have other warnings, one a line; `undefined` if all are clean. */
export function describeFindings(journal: readonly JournalEntry[]): string | undefined {
  const lists = [
    toList('Requests of this test that broke the contract:', journal, ({ breaches }) =>
      breaches.map(toBreachText),
    ),
    toList('Other requests of this test with a warning:', journal, ({ breaches, expected, warnings }) =>
      breaches.length > 0 || expected ? [] : warnings,
    ),
  ];
  const text = lists.filter((list) => list !== undefined).join('\n');
  return text === '' ? undefined : text;
}

function toList(
  title: string,
  journal: readonly JournalEntry[],
  find: (entry: JournalEntry) => readonly string[],
): string | undefined {
  const lines = journal.flatMap((entry) => {
    const complaints = find(entry);
    return complaints.length === 0 ? [] : [`  ${toLine(entry, complaints)}`];
  });
  if (lines.length === 0) return undefined;
  const shown = lines.slice(0, MOST_LINES);
  if (lines.length > MOST_LINES) shown.push(`  and ${lines.length - MOST_LINES} more`);
  return `${title}\n${shown.join('\n')}`;
}

function toLine({ method, path, request: { query }, status }: JournalEntry, complaints: readonly string[]) {
  const target = query === '' ? path : `${path}?${redactQuery(query, isUsualCredential)}`;
  const line = `${method} ${target} → ${status} ${complaints.join('; ')}`;
  const plain = escapeControls(line);
  return plain.length > LONGEST_LINE ? `${plain.slice(0, LONGEST_LINE)}…` : plain;
}

import type { JournalEntry } from '../index.ts';

const MOST_LINES = 20;
const LONGEST_LINE = 1000;

/** Statuses that are about the state rather than about the request, if an operation answered with them. */
const STATE_STATUSES: ReadonlySet<number> = new Set([404, 409, 410, 412, 429]);

/** Describes the requests of a test that broke the contract, one a line; `undefined` if none did. */
export function describeFindings(journal: readonly JournalEntry[]): string | undefined {
  const lines = journal.flatMap((entry) => {
    const complaints = findComplaints(entry);
    return complaints.length === 0 ? [] : [`  ${toLine(entry, complaints)}`];
  });
  if (lines.length === 0) return undefined;
  const shown = lines.slice(0, MOST_LINES);
  if (lines.length > MOST_LINES) shown.push(`  and ${lines.length - MOST_LINES} more`);
  return `Requests of this test that broke the contract:\n${shown.join('\n')}`;
}

function findComplaints(entry: JournalEntry): readonly string[] {
  const { operation, problem, request, source, status, warnings } = entry;
  // Such a request is wrong on purpose.
  if (isExpected(request.headers['x-mock-expect'], status)) return [];
  const isRefusal = problem !== undefined && source === 'error' && status < 500;
  const isContract = isRefusal && (operation === undefined || !STATE_STATUSES.has(status));
  return isContract ? [problem.message, ...warnings] : warnings;
}

/** Whether the header X-Mock-Expect lists a status, as `422` or `4xx`. */
function isExpected(header: string | undefined, status: number): boolean {
  const names = [String(status), `${Math.floor(status / 100)}xx`];
  return header?.split(',').some((each) => names.includes(each.trim().toLowerCase())) ?? false;
}

function toLine({ method, path, request: { query }, status }: JournalEntry, complaints: readonly string[]) {
  const target = query === '' ? path : `${path}?${query}`;
  const line = `${method} ${target} → ${status} ${complaints.join('; ')}`;
  // A path may have any characters, and a terminal obeys some of them.
  const plain = line.replace(/\p{Cc}/gu, ' ');
  return plain.length > LONGEST_LINE ? `${plain.slice(0, LONGEST_LINE)}…` : plain;
}

import { ApiError } from './api/client.ts';
import type { Status } from './api/pet-store.ts';
import type { Toast } from './toasts.tsx';

/** What customers call a status. */
export const STATUS_WORDS: Readonly<Record<Status, string>> = {
  available: 'Available',
  pending: 'Reserved',
  sold: 'Sold',
};

const REFUSALS: Readonly<Record<string, string>> = {
  out_of_stock: 'Sorry, there are not that many left.',
  pet_not_available: 'Sorry, somebody was faster: this animal is reserved.',
  pet_not_found: 'This animal is no longer with us.',
  unreachable: 'The shop cannot be reached. Is your connection up?',
  unreadable: 'The answer of the shop was cut off.',
};

/** Says to a customer what went wrong, and offers to try again where that may help. */
export function toFailure(error: unknown, retry: () => void): Toast {
  const text = toSentence(error);
  return isTemporary(error) ? { kind: 'failure', text, retry } : { kind: 'failure', text };
}

/** Whether the same request may succeed later. */
export function isTemporary(error: unknown): boolean {
  return (
    error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.code === 'unreadable')
  );
}

/** Says how many there are. */
export function toStock(status: Status, quantity: number | undefined): string {
  if (status !== 'available' || quantity === undefined) return STATUS_WORDS[status];
  return quantity === 1 ? 'Last one' : `${quantity} available`;
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

export function toDay(date: Date): string {
  return DAY.format(date);
}

function toSentence(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Something went wrong.';
  const known = REFUSALS[error.code];
  if (known) return known;
  return error.status >= 500 ? 'The shop has a problem right now.' : error.message;
}

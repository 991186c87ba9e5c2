import { toFindingText, type Violation } from '../../base/problem.ts';

/** A part of a request that breaks the contract: a violation of the document, or something that the document does not know. */
export interface Breach {
  readonly kind: 'violation' | 'unknown';
  /** A dotted path in the request, such as `body.categoryId`; `request` for the request as a whole. */
  readonly location: string;
  readonly message: string;
  /** The code of the finding, or that of the error where the error has no findings. */
  readonly code: string;
}

/** The verdict on a request by the contract, reached once, when the exchange is recorded. */
export interface Judgement {
  /** Input that the client probably sent by mistake. */
  readonly warnings: readonly Violation[];
  /** Empty if the request, or the user of the mock, asked for this answer. */
  readonly breaches: readonly Breach[];
  /** Whether the header `X-Mock-Expect` lists the status. */
  readonly expected: boolean;
}

/** The judgement of most requests. */
export const CLEAN: Judgement = { warnings: [], breaches: [], expected: false };

/** Writes a breach as text: `body.categoryId is required [required]`. */
export function toBreachText(breach: Omit<Breach, 'kind'>): string {
  const { location, message, code } = breach;
  return location === 'request' ? `${message} [${code}]` : toFindingText(breach);
}

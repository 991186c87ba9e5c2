/** The cause of a violation that `check` finds. The codes are stable and explained in docs/codes.md. */
export type CheckCode =
  /** The status of the answer is not the expected one. */
  | 'status-unexpected'
  /** The provider's server did not answer. */
  | 'answer-missing'
  /** The document does not declare the status of the answer. */
  | 'status-undeclared'
  /** The answer has a body where HTTP allows none. */
  | 'body-forbidden'
  /** The answer has a body that the document does not declare. */
  | 'body-undeclared'
  /** The answer lacks the body that was requested. */
  | 'body-missing'
  /** The body is not in the format that its Content-Type names. */
  | 'body-unreadable'
  /** The body breaks its schema, or a header does. */
  | 'answer-invalid'
  /** An example of the document breaks its own schema. */
  | 'example-invalid'
  /** The answer lacks a Content-Type, or has one that was neither declared nor requested. */
  | 'content-type-wrong'
  /** The Content-Length is not the length of the body. */
  | 'content-length-wrong'
  /** Preference-Applied does not name the preferences that were requested. */
  | 'preference-wrong'
  /** HEAD and GET answer with different headers. */
  | 'head-different'
  /** An answer does not show its entity. */
  | 'entity-missing'
  /** Two answers show different values of one entity. */
  | 'entity-different'
  /** An answer shows nothing of a change. */
  | 'change-lost'
  /** A list lacks an entity. */
  | 'list-incomplete'
  /** A list still has a removed entity. */
  | 'list-stale';

/** One thing that is wrong with an answer. */
export interface CheckFinding {
  readonly code: CheckCode;
  /** A sentence. */
  readonly message: string;
}

export function toFinding(code: CheckCode, message: string): CheckFinding {
  return { code, message };
}

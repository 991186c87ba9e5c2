/** Stands for the value of a credential. */
export const HIDDEN = '[hidden]';

/** Matches the usual names of credentials. */
const USUAL_NAME = /authori[sz]ation|\bauth\b|cookie|token|secret|passw|api.?key|credential/i;

/** Whether a header, parameter, field or property of this name holds a credential. */
export type IsCredential = (name: string) => boolean;

/** Recognizes the usual names of credentials. */
export const isUsualCredential: IsCredential = (name) => USUAL_NAME.test(name);

/** Recognizes the usual names of credentials, and other ones in any case. */
export function buildIsCredential(others: Iterable<string>): IsCredential {
  const known = new Set([...others].map((name) => name.toLowerCase()));
  return (name) => USUAL_NAME.test(name) || known.has(name.toLowerCase());
}

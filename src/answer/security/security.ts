import { Problem } from '../../base/problem.ts';
import type { Requirements, SecurityScheme } from '../../document/document.ts';
import type { Operation } from '../../model/operations/operations.ts';
import { isPreflight, type MockRequest } from '../../wire/message/message.ts';

export { buildReadCaller, toCookieNames } from './caller.ts';
export type { Credential } from './credentials.ts';

import { type Credential, toCredential, type Verdict } from './credentials.ts';

/** Checks that requests carry the credentials that their operations require. Any value of the right form passes. */
export interface Security {
  /** Whether a request has the credentials of its operation, or needs none. */
  admits(operation: Operation, request: MockRequest): boolean;
  /** Throws a 401 Problem for a request that is not admitted. */
  check(operation: Operation, request: MockRequest): void;
  /** `WWW-Authenticate` for an operation (RFC 9110 section 11.6.1); `undefined` if it requires no credentials. */
  challenge(operation: Operation): string | undefined;
  /** The credentials of an operation in words: `X-API-Key header or Bearer token`; `undefined` if nothing is checked. */
  describe(operation: Operation): string | undefined;
  /** The credentials of all alternatives of an operation. */
  credentials(operation: Operation): readonly Credential[];
}

/**
 * Builds the checks of all operations; `undefined` for a document without security requirements. Without `auth` nothing is
 * checked, but operations still have their challenges.
 */
export function buildSecurity(
  declared: ReadonlyMap<string, Requirements>,
  operations: readonly Operation[],
  auth: boolean,
): Security | undefined {
  if (declared.size === 0) return undefined;
  // Most operations share the requirements of the whole document.
  const compiled = new Map<Requirements, CredentialSets>();
  const setsByOperation = new Map<Operation, CredentialSets>();
  for (const operation of operations) {
    const requirements = declared.get(operation.label);
    if (!requirements) continue;
    const sets = compiled.get(requirements) ?? toCredentialSets(requirements);
    compiled.set(requirements, sets);
    setsByOperation.set(operation, sets);
  }
  const setsOf = (operation: Operation) => (auth ? setsByOperation.get(operation) : undefined);
  return {
    admits(operation, request) {
      const sets = setsOf(operation);
      // A preflight has no credentials, and only gets here with CORS switched off.
      return !sets || isGiven(sets, request) || isPreflight(request);
    },
    check(operation, request) {
      if (!this.admits(operation, request)) throw toUnauthorized(setsOf(operation) ?? [], request);
    },
    challenge(operation) {
      const sets = setsByOperation.get(operation);
      return sets && toChallenges(sets, () => 'missing');
    },
    credentials: (operation) => [...new Set(setsByOperation.get(operation)?.flat())],
    describe(operation) {
      const sets = setsOf(operation);
      return sets && joinSets(sets, ({ name }) => name, ' or ');
    },
  };
}

/** Alternative sets of credentials: a request needs all of one set. */
type CredentialSets = readonly (readonly Credential[])[];

function toCredentialSets(requirements: Requirements): CredentialSets {
  const credentials = new Map<string, Credential>();
  const share = (scheme: SecurityScheme) => {
    const made = toCredential(scheme);
    const credential = credentials.get(made.send) ?? made;
    credentials.set(made.send, credential);
    return credential;
  };
  const sets = requirements.flatMap(splitAuthorization).map((schemes) => [...new Set(schemes.map(share))]);
  return [...new Map(sets.map((set) => [joinSets([set], ({ send }) => send, ''), set])).values()];
}

/** A request has only one Authorization header, so any one of the schemes that need it is enough. */
function splitAuthorization(schemes: readonly SecurityScheme[]): SecurityScheme[][] {
  const keys = schemes.filter(({ type }) => type === 'apiKey');
  const others = schemes.filter(({ type }) => type === 'http');
  return others.length === 0 ? [keys] : others.map((other) => [...keys, other]);
}

function isGiven(sets: CredentialSets, request: MockRequest): boolean {
  return sets.some((set) => set.every((credential) => credential.judge(request) === 'given'));
}

function toUnauthorized(sets: CredentialSets, request: MockRequest): Problem {
  const judge = (credential: Credential) => credential.judge(request);
  const complaint = findComplaint(sets, judge);
  const message = `${complaint}. Send ${joinSets(sets, ({ send }) => send, ', or ')}. --no-auth switches this check off.`;
  return new Problem(401, 'unauthorized', message, {
    headers: { 'WWW-Authenticate': toChallenges(sets, judge) },
  });
}

/** The distance of a verdict from `given`. */
const DISTANCES: Readonly<Record<Verdict, number>> = { given: 0, malformed: 1, foreign: 2, missing: 3 };

/** Describes the fault in the set that the request nearly satisfies, without quoting any credential. */
function findComplaint(sets: CredentialSets, judge: (credential: Credential) => Verdict): string {
  const judged = sets
    .map((set) => set.map((credential) => ({ credential, verdict: judge(credential) })))
    .filter((set) => set.some(({ verdict }) => verdict !== 'missing'))
    .map((set) => ({ set, distance: set.reduce((sum, { verdict }) => sum + DISTANCES[verdict], 0) }))
    .sort((one, other) => one.distance - other.distance);
  const complaints = judged[0]?.set.flatMap(
    ({ credential, verdict }) => credential.complaints[verdict] ?? [],
  );
  const text = complaints?.join(' and ') ?? 'the request has no credentials';
  return text.replace(/^[a-z]/, (letter) => letter.toUpperCase());
}

/** One challenge for each scheme, in the document's order. */
function toChallenges(sets: CredentialSets, judge: (credential: Credential) => Verdict): string {
  return [...new Set(sets.flat().map((credential) => credential.challenge(judge(credential))))].join(', ');
}

function joinSets(
  sets: CredentialSets,
  toText: (credential: Credential) => string,
  separator: string,
): string {
  return sets.map((set) => set.map(toText).join(' and ')).join(separator);
}

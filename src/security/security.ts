import type { Requirements, SecurityScheme } from '../document/document.ts';
import type { MockRequest } from '../message.ts';
import type { Operation } from '../operations/operations.ts';
import { Problem } from '../problem.ts';
import { type Credential, toCredential, type Verdict } from './credentials.ts';

/** Which credentials operations ask for. None is ever verified: whatever has the right form does. */
export interface Security {
  /** Throws a 401 Problem for a request that lacks what its operation asks for. */
  check(operation: Operation, request: MockRequest): void;
  /** `WWW-Authenticate` for an operation (RFC 9110 section 11.6.1); `undefined` where it asks for nothing. */
  challenge(operation: Operation): string | undefined;
  /** What an operation asks for, in words: `X-API-Key header or Bearer token`; `undefined` where nothing is checked. */
  describe(operation: Operation): string | undefined;
}

/**
 * Decides once how requests are checked; `undefined` for a document that asks for no credentials. Without `auth` nothing is
 * checked, but challenges are still known.
 */
export function buildSecurity(
  declared: ReadonlyMap<string, Requirements>,
  operations: readonly Operation[],
  auth: boolean,
): Security | undefined {
  if (declared.size === 0) return undefined;
  // Most operations share what the document asks for as a whole.
  const compiled = new Map<Requirements, Choice>();
  const choices = new Map<Operation, Choice>();
  for (const operation of operations) {
    const requirements = declared.get(operation.label);
    if (!requirements) continue;
    const choice = compiled.get(requirements) ?? toChoice(requirements);
    compiled.set(requirements, choice);
    choices.set(operation, choice);
  }
  return {
    check(operation, request) {
      const choice = auth ? choices.get(operation) : undefined;
      if (choice && !isGiven(choice, request) && !isPreflight(request)) throw refuse(choice, request);
    },
    challenge(operation) {
      const choice = choices.get(operation);
      return choice && toChallenges(choice, () => 'missing');
    },
    describe(operation) {
      const choice = auth ? choices.get(operation) : undefined;
      return choice && joinChoice(choice, ({ name }) => name, ' or ');
    },
  };
}

/** Sets of credentials, one of which is enough. */
type Choice = readonly (readonly Credential[])[];

function toChoice(requirements: Requirements): Choice {
  const credentials = new Map<string, Credential>();
  const share = (scheme: SecurityScheme) => {
    const made = toCredential(scheme);
    const credential = credentials.get(made.send) ?? made;
    credentials.set(made.send, credential);
    return credential;
  };
  const sets = requirements.flatMap(splitAuthorization).map((schemes) => [...new Set(schemes.map(share))]);
  return [...new Map(sets.map((set) => [joinChoice([set], ({ send }) => send, ''), set])).values()];
}

/** A request has one Authorization header: of the schemes in a set that need it, any one does. */
function splitAuthorization(schemes: readonly SecurityScheme[]): SecurityScheme[][] {
  const keys = schemes.filter(({ type }) => type === 'apiKey');
  const others = schemes.filter(({ type }) => type === 'http');
  return others.length === 0 ? [keys] : others.map((other) => [...keys, other]);
}

function isGiven(choice: Choice, request: MockRequest): boolean {
  return choice.some((set) => set.every((credential) => credential.judge(request) === 'given'));
}

/** A browser sends it without credentials (Fetch section 4.8). It comes here only where CORS is switched off. */
function isPreflight({ method, headers }: MockRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function refuse(choice: Choice, request: MockRequest): Problem {
  const judge = (credential: Credential) => credential.judge(request);
  const complaint = findComplaint(choice, judge);
  const message = `${complaint}. Send ${joinChoice(choice, ({ send }) => send, ', or ')}. --no-auth switches this check off.`;
  return new Problem(401, 'unauthorized', message, {
    headers: { 'WWW-Authenticate': toChallenges(choice, judge) },
  });
}

/** How far a credential is from being given. */
const DISTANCES: Readonly<Record<Verdict, number>> = { given: 0, malformed: 1, foreign: 2, missing: 3 };

/** What is wrong with the set that the request comes nearest to. It never says what the request holds. */
function findComplaint(choice: Choice, judge: (credential: Credential) => Verdict): string {
  const judged = choice
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
function toChallenges(choice: Choice, judge: (credential: Credential) => Verdict): string {
  return [...new Set(choice.flat().map((credential) => credential.challenge(judge(credential))))].join(', ');
}

function joinChoice(choice: Choice, toText: (credential: Credential) => string, separator: string): string {
  return choice.map((set) => set.map(toText).join(' and ')).join(separator);
}

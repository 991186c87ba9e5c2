import type { Format } from '../codecs/codecs.ts';
import type { Source } from '../journal.ts';
import type { MockRequest, MockResponse, Outcome } from '../message.ts';
import type { Match } from '../operations/operations.ts';
import type { Problem, Violation } from '../problem.ts';
import type { Preferences } from '../respond/respond.ts';
import type { Service, Session, Sessions } from '../service/service.ts';
import type { Input } from '../validate/validate.ts';

/**
 * One stage of handling. Returns the step to go on at, if that is not the next one; a promise where it takes time. Throws a
 * Problem to answer with it.
 */
export type Step = (exchange: Exchange) => Step | undefined | Promise<Step | undefined>;

/** One request on its way to its response. The steps fill it in. */
export interface Exchange extends Choice {
  readonly request: MockRequest;
  /** When handling began, by `performance.now()`. */
  readonly started: number;
  readonly sessions: Sessions;
  /** Whether nobody waits for the answer any more. */
  readonly isOver: (() => boolean) | undefined;
  /** `undefined` where no operation matches, and for an OPTIONS request that the document does not declare. */
  match: Match | undefined;
  /** Whether faults and delays have had their turn. */
  intercepted: boolean;
  /** The error that a fault answers with. */
  fault: Problem | undefined;
  preferences: Preferences;
  /** What is wrong with the request. */
  findings: readonly Violation[];
  input: Input | undefined;
  /** How state is written; `undefined` where the document declares no content. */
  format: Format | undefined;
  /** What an action or a rule decided; `undefined` where the document answers. */
  outcome: Outcome | undefined;
  source: Source | undefined;
  problem: Problem | undefined;
  response: MockResponse | undefined;
  /** Whether the answer was given before. */
  recalled: boolean;
}

/** The session of a request, and what it was like when the request came. */
interface Choice {
  session: Session;
  service: Service;
  /** The version of the store. */
  version: number;
}

const NO_PREFERENCES: Preferences = {};
const NO_FINDINGS: readonly Violation[] = [];

/** A fresh exchange in the session that its request belongs to. */
export function createExchange(sessions: Sessions, request: MockRequest, isOver?: () => boolean): Exchange {
  const { session, service, version } = chooseSession(sessions);
  return {
    request,
    started: performance.now(),
    sessions,
    isOver,
    session,
    service,
    version,
    match: undefined,
    intercepted: false,
    fault: undefined,
    preferences: NO_PREFERENCES,
    findings: NO_FINDINGS,
    input: undefined,
    format: undefined,
    outcome: undefined,
    source: undefined,
    problem: undefined,
    response: undefined,
    recalled: false,
  };
}

/** The session that a request belongs to, merged with the current service. */
export function chooseSession(sessions: Sessions): Choice {
  const session = sessions.use();
  return { session, service: session.service, version: session.store.version };
}

import type { Format } from '../codecs/codecs.ts';
import type { AnswerSource } from '../journal.ts';
import type { MockRequest, MockResponse, Outcome } from '../message/message.ts';
import type { Match } from '../operations/operations.ts';
import type { Problem, Violation } from '../problem.ts';
import type { Preferences } from '../respond/respond.ts';
import type { CachedAnswer, Service, Session, Sessions } from '../service/service.ts';
import type { Input } from '../validate/validate.ts';

/**
 * One stage of handling, synchronous where it can be. Returns the step to continue at, if that is not the next one. Throws a Problem
 * to answer with it.
 */
export type Step = (exchange: Exchange) => Step | undefined | Promise<Step | undefined>;

/** One request on its way to its response. The steps fill it in. */
export interface Exchange extends ChosenSession {
  readonly request: MockRequest;
  /** The start of handling, by `performance.now()`. */
  readonly started: number;
  readonly sessions: Sessions;
  /** Whether the client no longer waits for the answer. */
  readonly isOver: (() => boolean) | undefined;
  /** Whether it came over a connection, which keeps the process alive by itself. */
  readonly isConnected: boolean;
  /** `undefined` where no operation matches, and for an OPTIONS request that the document does not declare. */
  match: Match | undefined;
  /** Whether faults and delays have been applied. */
  intercepted: boolean;
  /** The error answer of a fault. */
  fault: Problem | undefined;
  preferences: Preferences;
  /** The violations of the request. */
  findings: readonly Violation[];
  /** What the client probably sent by mistake. */
  warnings: readonly string[];
  input: Input | undefined;
  /** The format of state; `undefined` where the document declares no content. */
  format: Format | undefined;
  /** The decision of an action or a rule; `undefined` where the document answers. */
  outcome: Outcome | undefined;
  source: AnswerSource | undefined;
  problem: Problem | undefined;
  response: MockResponse | undefined;
  /** The cached answer that this one repeats. */
  recalled: CachedAnswer | undefined;
}

/** The session of a request, with its service and version at that time. */
interface ChosenSession {
  session: Session;
  service: Service;
  /** The version of the store. */
  version: number;
}

const NO_PREFERENCES: Preferences = {};
const NO_FINDINGS: readonly Violation[] = [];
const NO_WARNINGS: readonly string[] = [];

/** Creates an exchange in the session of its request. */
export function createExchange(
  sessions: Sessions,
  request: MockRequest,
  isOver: Exchange['isOver'],
  isConnected: boolean,
): Exchange {
  const { session, service, version } = chooseSession(sessions);
  return {
    request,
    started: performance.now(),
    sessions,
    isOver,
    isConnected,
    session,
    service,
    version,
    match: undefined,
    intercepted: false,
    fault: undefined,
    preferences: NO_PREFERENCES,
    findings: NO_FINDINGS,
    warnings: NO_WARNINGS,
    input: undefined,
    format: undefined,
    outcome: undefined,
    source: undefined,
    problem: undefined,
    response: undefined,
    recalled: undefined,
  };
}

/** Chooses the session of a request. */
export function chooseSession(sessions: Sessions): ChosenSession {
  const session = sessions.use();
  return { session, service: session.service, version: session.store.version };
}

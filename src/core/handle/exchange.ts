import type { Fault, Quota } from '../../answer/faults/faults.ts';
import type { Preferences } from '../../answer/respond/respond.ts';
import type { Problem, Violation } from '../../base/problem.ts';
import type { Input, Match } from '../../model/operations/operations.ts';
import type { Format } from '../../wire/codecs/codecs.ts';
import type { Client, MockRequest, MockResponse, Outcome } from '../../wire/message/message.ts';
import { type AnswerSource, CLEAN, type Judgement, type Recorded } from '../journal/journal.ts';
import type { CachedAnswer, KeyedRequest, Service, Session, Sessions } from '../service/service.ts';

/**
 * One stage of handling, synchronous where it can be. Returns the step to continue at, if that is not the next one. Throws a Problem
 * to answer with it.
 */
export type Step = (exchange: Exchange) => Step | undefined | Promise<Step | undefined>;

/** One request on its way to its response. The steps fill it in. */
export interface Exchange extends ChosenSession {
  /** Without the part of the path that names the session. */
  request: MockRequest;
  /** The start of handling, by `performance.now()`. */
  readonly started: number;
  readonly sessions: Sessions;
  /** `undefined` for one that always waits. */
  readonly client: Client | undefined;
  /** `undefined` where no operation matches, and for an OPTIONS request that the document does not declare. */
  match: Match | undefined;
  /** Whether faults and delays have been applied. */
  intercepted: boolean;
  /** The fault that hit it. */
  fault: Fault | undefined;
  /** The limits that counted it. */
  quotas: readonly Quota[];
  preferences: Preferences;
  /** Input that the client probably sent by mistake. */
  warnings: readonly Violation[];
  /** The verdict on the request by the contract, once it is recorded. */
  judgement: Judgement;
  input: Input | undefined;
  /** Whether the request has a body that its operation does not take. */
  ignoresBody: boolean;
  /** The format of state; `undefined` where the document declares no content. */
  format: Format | undefined;
  /** The key and fingerprint of its Idempotency-Key, once that is claimed. */
  keyed: KeyedRequest | undefined;
  /** Whether it was carried out, with success or not. */
  acted: boolean;
  /** The decision of an action or a rule; `undefined` where the document answers. */
  outcome: Outcome | undefined;
  source: AnswerSource | undefined;
  problem: Problem | undefined;
  response: MockResponse | undefined;
  /** Answers the requests that are about the mock itself. */
  readonly control: Control | undefined;
  /** Whether its answer is needed whole, however long it is. */
  readonly isWhole: boolean;
  /** The time of the session from which an equal request may get another answer, though nothing has changed. */
  until: number;
  /** Its parts that the journal stores; `undefined` before it is recorded, and for one about the mock itself. */
  recorded: Recorded | undefined;
  /** The number of its entry in the journal; 0 before it has one. */
  id: number;
  /** The key of its answer in the cache; `undefined` where neither it nor an equal request could find one there. */
  answerKey: string | undefined;
  /** The cached answer that this one repeats. */
  recalled: CachedAnswer | undefined;
}

/** Answers a request that is about the mock itself; `undefined` for any other. */
export type Control = (
  request: MockRequest,
  service: Service,
  session: Session,
) => MockResponse | Promise<MockResponse> | undefined;

/** The session of a request, with its service and version at that time. */
interface ChosenSession {
  session: Session;
  service: Service;
  /** The version of the store. */
  version: number;
  /** That of its hidden resources, and how often they had been used. */
  hiddenVersion: number;
  hiddenUses: number;
}

const NO_PREFERENCES: Preferences = {};
const NO_QUOTAS: readonly Quota[] = [];

/** The parts of a handler that every exchange shares. */
interface ExchangeParts {
  readonly sessions: Sessions;
  readonly control: Control | undefined;
  readonly isWhole: boolean;
}

/** Creates an exchange in the default session. */
export function createExchange(
  { sessions, control, isWhole }: ExchangeParts,
  request: MockRequest,
  client: Client | undefined,
): Exchange {
  const { session, service, version, hiddenVersion, hiddenUses } = chooseSession(sessions);
  return {
    request,
    started: performance.now(),
    sessions,
    control,
    isWhole,
    client,
    session,
    service,
    version,
    hiddenVersion,
    hiddenUses,
    match: undefined,
    intercepted: false,
    fault: undefined,
    quotas: NO_QUOTAS,
    preferences: NO_PREFERENCES,
    warnings: CLEAN.warnings,
    judgement: CLEAN,
    input: undefined,
    ignoresBody: false,
    format: undefined,
    keyed: undefined,
    acted: false,
    outcome: undefined,
    source: undefined,
    problem: undefined,
    response: undefined,
    until: Number.POSITIVE_INFINITY,
    recorded: undefined,
    id: 0,
    answerKey: undefined,
    recalled: undefined,
  };
}

/** Chooses a session by its name, the default one unless given. */
export function chooseSession(sessions: Sessions, name?: string): ChosenSession {
  const session = sessions.use(name);
  const { service, store } = session;
  const { version, hiddenVersion, hiddenUses } = store;
  return { session, service, version, hiddenVersion, hiddenUses };
}

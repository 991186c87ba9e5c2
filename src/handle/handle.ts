import type { ErrorShapes } from '../errors/errors.ts';
import type { Faults } from '../faults/faults.ts';
import type { Random } from '../generate/generate.ts';
import type { Lifecycle } from '../lifecycle/lifecycle.ts';
import type { MockRequest, MockResponse, Outcome } from '../message.ts';
import type { Match, Operation } from '../operations/operations.ts';
import { type Problem, toProblem } from '../problem.ts';
import type { Negotiator } from '../respond/respond.ts';
import {
  type Preferences,
  type Responder,
  readPreferences,
  toPreferenceApplied,
  withHeaders,
  withoutContent,
} from '../respond/respond.ts';
import type { SchemaChecker } from '../schema/schema.ts';
import type { Security } from '../security/security.ts';
import {
  acceptInput,
  findViolations,
  type Input,
  type RawInput,
  type ReadInput,
} from '../validate/validate.ts';
import { type BindParts, type BoundAction, bindActions } from './bind.ts';
import { createKeptAnswers } from './kept.ts';

export { type Exchange, type Exchanged, type JournalEntry, sizeOf, toJournalEntry } from './exchange.ts';

/** What a request goes through, all of it built at load. */
export interface HandlerParts extends BindParts {
  /** Checks what is asked. */
  readonly requestSchemas: SchemaChecker;
  readonly lifecycles: ReadonlyMap<Operation, Lifecycle>;
  readonly faults: Faults;
  /** `undefined` where the document asks for no credentials. */
  readonly security: Security | undefined;
  readonly errors: ErrorShapes;
  readonly negotiate: Negotiator;
  readonly readInput: ReadInput;
  readonly responder: Responder;
  /** Waits for what the first entities are made with; `undefined` if it is there. */
  readonly ready: () => Promise<void> | undefined;
  /** The bounds of the wait before every answer, in milliseconds, and where in between a request falls. */
  readonly delay: { readonly from: number; readonly to: number; readonly random: Random };
}

/** An answer, and what there is to say about it beside what the client sees. */
export interface Handled {
  readonly response: MockResponse;
  readonly operation: Operation | undefined;
  readonly lifecycle: Lifecycle | undefined;
  readonly problem: Problem | undefined;
}

/** What an error rule or a delay holds a request up with. */
export interface Admission {
  /** Milliseconds to wait before the request is answered. */
  readonly delay: number;
  /** What to answer instead of the answer. */
  readonly problem: Problem | undefined;
}

type Headers = MockResponse['headers'];

const NONE: Headers = {};

/** Answers requests. None of it throws. */
export interface Handler {
  /** Decides about delay and fault; `undefined` for a request that nothing holds up. */
  admit(request: MockRequest): Admission | undefined;
  /** Answers at once, or later where a body or an example takes time. `common` is what every answer carries. */
  answer(request: MockRequest, fault?: Problem, common?: Headers): Handled | Promise<Handled>;
  /** The answer to what is no request of an operation. */
  refuse(problem: Problem): MockResponse;
}

export function createHandler(parts: HandlerParts): Handler {
  const actions = bindActions(parts);
  const session = parts.store.session();
  const kept = createKeptAnswers<Handled>(session);
  return {
    admit: (request) => admit(parts, request),
    refuse: (problem) => parts.errors.respond(problem, undefined, ''),
    answer(request, fault, common = NONE) {
      const known = fault ? undefined : kept.find(request, common);
      if (known) return known;
      const { version } = session;
      let match: Match | undefined;
      const finish = (response: MockResponse) => decorate(parts, { request, match, common }, response);
      const fail = (error: unknown) => {
        const problem = toProblem(error);
        const response = parts.errors.respond(problem, match?.operation, request.path);
        return decorate(parts, { request, match, common }, response, problem);
      };
      try {
        match = matchRequest(parts, request);
        if (fault) throw fault;
        const response = match ? answer(parts, actions, request, match) : answerOptions(parts, request);
        if (response instanceof Promise) return response.then(finish, fail);
        const handled = finish(response);
        // What is not made from state is ready only later.
        if (match) kept.keep(request, common, handled, version);
        return handled;
      } catch (error) {
        return fail(error);
      }
    },
  };
}

function admit({ table, faults, delay }: HandlerParts, request: MockRequest): Admission | undefined {
  if (faults.none && delay.to === 0) return undefined;
  const operation = table.probe(request.method, request.path);
  if (!operation) return undefined;
  const fault = faults.decide(operation);
  const general = delay.to > 0 ? delay.from + delay.random() * (delay.to - delay.from) : 0;
  return { delay: general + (fault?.delay ?? 0), problem: fault?.problem };
}

function matchRequest({ table }: HandlerParts, request: MockRequest): Match | undefined {
  if (request.method !== 'OPTIONS') return table.match(request.method, request.path);
  return table.probe('OPTIONS', request.path) && table.match('OPTIONS', request.path);
}

function answerOptions({ table }: HandlerParts, { path }: MockRequest): MockResponse {
  const allow = path === '*' ? 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' : table.allow(path);
  return { status: 204, headers: { Allow: allow } };
}

function answer(
  parts: HandlerParts,
  actions: ReadonlyMap<Operation, BoundAction>,
  request: MockRequest,
  match: Match,
): MockResponse | Promise<MockResponse> {
  const { operation } = match;
  const { responder } = parts;
  const action = actions.get(operation);
  const preferences = readPreferences(request.headers.prefer, request.query);
  if (action ? isForced(operation, preferences) : preferences.code !== undefined) {
    return negotiatePreferred(parts, operation, preferences, request);
  }
  // An answer that was asked for by its status is given to anybody.
  if (preferences.code === undefined) parts.security?.check(operation, request);
  const run = (action: BoundAction, input: Input) => {
    // Asked before anything is changed: a client that takes no answer has asked for nothing.
    const usual = responder.chooseFormat(operation, request);
    const outcome = action(request, input, match.base);
    const status = outcome.status ?? operation.successStatus;
    const format =
      status === operation.successStatus ? usual : responder.chooseFormat(operation, request, status);
    if (outcome.body !== undefined || format === undefined)
      return responder.toResponse(operation, outcome, format);
    return negotiateOutcome(parts, operation, { ...preferences, code: status }, request, outcome);
  };
  const act = (input: Input) => {
    const example = operation.method === 'GET' && responder.prefersExample(operation, request);
    if (!action || example) return negotiatePreferred(parts, operation, preferences, request);
    return parts.ready()?.then(() => run(action, input)) ?? run(action, input);
  };
  const validate = (raw: RawInput) =>
    act(acceptInput(operation, raw, findViolations(operation, raw, parts.requestSchemas)));
  const raw = parts.readInput(request, match);
  return raw instanceof Promise ? raw.then(validate) : validate(raw);
}

/** Where an action has nothing to show and the document has something, that is what is answered. */
async function negotiateOutcome(
  { negotiate }: HandlerParts,
  operation: Operation,
  preferences: Preferences,
  request: MockRequest,
  { headers = {} }: Outcome,
): Promise<MockResponse> {
  return withHeaders(await negotiate(operation, preferences, request), headers);
}

/** A preference that state would not fulfil by itself: another status, or an example by name. */
function isForced(operation: Operation, { code, example }: Preferences): boolean {
  return example !== undefined || (code !== undefined && code !== operation.successStatus);
}

async function negotiatePreferred(
  { negotiate }: HandlerParts,
  operation: Operation,
  preferences: Preferences,
  request: MockRequest,
): Promise<MockResponse> {
  const response = await negotiate(operation, preferences, request);
  const applied = toPreferenceApplied(preferences);
  return applied === undefined ? response : withHeaders(response, { 'Preference-Applied': applied });
}

/** What an answer is the answer to. */
interface Asked {
  readonly request: MockRequest;
  readonly match: Match | undefined;
  readonly common: Headers;
}

function decorate(
  parts: HandlerParts,
  { request, match, common }: Asked,
  response: MockResponse,
  problem?: Problem,
): Handled {
  const lifecycle = match && parts.lifecycles.get(match.operation);
  const announced = match && lifecycle ? lifecycle.headers(match.parameters, match.base) : NONE;
  // Whether a preference was there decides about the answer (RFC 7240 section 2).
  const varied = match ? VARIED : NONE;
  const required = match ? requiredOf(parts, match, response) : NONE;
  const decorated = withHeaders(response, announced, varied, required, common);
  return {
    response: request.method === 'HEAD' ? withoutContent(decorated) : decorated,
    operation: match?.operation,
    lifecycle,
    problem,
  };
}

const VARIED: Headers = { Vary: 'Accept, Prefer' };

/** What RFC 9110 makes part of some statuses (sections 15.5.2 and 15.5.6), also of those that a rule asks for. */
function requiredOf(
  { table, security }: HandlerParts,
  { operation }: Match,
  { status, headers }: MockResponse,
): Headers {
  if (status === 401 && headers['WWW-Authenticate'] === undefined) {
    return { 'WWW-Authenticate': security?.challenge(operation) ?? 'Bearer realm="petstore-mock"' };
  }
  if (status === 405 && headers.Allow === undefined) return { Allow: table.allow(operation.path) };
  return NONE;
}

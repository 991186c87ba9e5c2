import {
  findPreferenceMistakes,
  type Negotiated,
  type Preferences,
  readPreferences,
  toPreferenceApplied,
} from '../../answer/respond/respond.ts';
import { findViolations, type RawInput, toInput, type UnknownInput } from '../../answer/validate/validate.ts';
import { type Violation, violationProblem } from '../../base/problem.ts';
import type { Input, Match, Operation } from '../../model/operations/operations.ts';
import {
  type HeaderFields,
  hasBody,
  type MockResponse,
  type Outcome,
  toSendable,
  withHeaders,
} from '../../wire/message/message.ts';
import { CLEAN } from '../journal/journal.ts';
import { decorate } from './decorate.ts';
import { chooseSession, type Exchange, type Step } from './exchange.ts';
import { isKeyed } from './idempotency.ts';
import { toPreferred } from './preferred.ts';
import { record } from './record.ts';
import { respondLong } from './respond-long.ts';
import { findNamed } from './session-name.ts';

/** Answers a CORS preflight, whatever the document declares for OPTIONS. */
export const preflight: Step = (exchange) => {
  const response = exchange.service.cors?.preflight(exchange.request);
  if (!response) return undefined;
  exchange.response = toSendable(response);
  return record;
};

/** Chooses the session that the request names, else the default one. */
export const choose: Step = (exchange) => {
  const named = findNamed(exchange.request, exchange.service.controlPath);
  if (!named) return undefined;
  exchange.request = named.request;
  Object.assign(exchange, chooseSession(exchange.sessions, named.name));
  return undefined;
};

/** Answers the requests that are about the mock itself. */
export const control: Step = (exchange) => {
  const { request, service, session } = exchange;
  const answer = exchange.control?.(request, service, session);
  if (!answer) return undefined;
  exchange.source = 'control';
  const finish = (response: MockResponse) => {
    exchange.response = response;
    return decorate;
  };
  return answer instanceof Promise ? answer.then(finish) : finish(answer);
};

/** Finds the operation, or answers an OPTIONS request that the document does not declare. */
export const match: Step = (exchange) => {
  const { method, path } = exchange.request;
  const { table } = exchange.service;
  if (method === 'OPTIONS' && !table.probe(method, path)) {
    const allow = path === '*' ? 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' : table.allow(path);
    exchange.response = { status: 204, headers: { Allow: allow } };
    return decorate;
  }
  exchange.match = table.match(method, path);
  return undefined;
};

/** Reads preferences. An answer requested by status or example needs neither credentials nor a valid request. */
export const prefer: Step = (exchange) => {
  const { request, service } = exchange;
  const { operation } = exchange.match as Match;
  const preferences = readPreferences(request.headers.prefer, request.query);
  exchange.preferences = preferences;
  exchange.warnings = findIgnored(exchange);
  const isForced = service.actions.has(operation)
    ? isOtherThanState(operation, preferences)
    : preferences.code !== undefined;
  return isForced ? respond : undefined;
};

/** Finds the preferences that have no effect. */
function findIgnored({ request, match: matched }: Exchange): readonly Violation[] {
  const { prefer: header } = request.headers;
  if (header === undefined && !request.query.includes('__')) return CLEAN.warnings;
  const declared = matched?.operation.parameters.some(
    (parameter) => parameter.in === 'header' && parameter.name.toLowerCase() === 'prefer',
  );
  return findPreferenceMistakes(header, request.query, declared ?? false);
}

/** Whether state cannot fulfil the preferences: another status, or an example by name. */
function isOtherThanState(operation: Operation, { code, example }: Preferences): boolean {
  return example !== undefined || (code !== undefined && code !== operation.successStatus);
}

/** Checks that the credentials have the required form and have not ended. */
export const authorize: Step = (exchange) => {
  const { service, session, preferences, request } = exchange;
  if (preferences.code !== undefined) return undefined;
  const { operation } = exchange.match as Match;
  service.security?.check(operation, request);
  const expires = service.checkCaller?.(operation, request, session.store, session.clock.now());
  if (expires !== undefined) exchange.until = Math.min(exchange.until, expires);
  return undefined;
};

/** Reads and checks typed input. Mistakes in parameters are reported before those in the body. */
export const validate: Step = (exchange) => {
  const { service, request } = exchange;
  const matched = exchange.match as Match;
  const accept = (raw: RawInput) => {
    const found = findViolations(matched.operation, raw, service.requestSchemas);
    const { parameters, body } = addUnknown(exchange, found, service.findUnknown(matched.operation, raw));
    if (parameters.length > 0) throw violationProblem(400, 'invalid_parameter', parameters);
    if (body.length > 0) throw violationProblem(422, 'validation_failed', body);
    exchange.input = toInput(matched.operation, raw);
    exchange.ignoresBody = raw.body === undefined && hasBody(request);
    return undefined;
  };
  const raw = service.readInput(request, matched);
  return raw instanceof Promise ? raw.then(accept) : accept(raw);
};

/** Unknown input is a violation in strict mode, and a warning otherwise. */
function addUnknown(exchange: Exchange, found: UnknownInput, unknown: UnknownInput): UnknownInput {
  if (unknown.parameters.length === 0 && unknown.body.length === 0) return found;
  if (!exchange.service.strict) {
    exchange.warnings = [...exchange.warnings, ...unknown.parameters, ...unknown.body];
    return found;
  }
  return {
    parameters: [...found.parameters, ...unknown.parameters],
    body: [...found.body, ...unknown.body],
  };
}

/** Chooses the format of state, or leaves the answer to the document. Comes before `act`, so that a 406 never leaves a write behind. */
export const negotiate: Step = (exchange) => {
  const { service, request } = exchange;
  const { operation } = exchange.match as Match;
  const { actions, responder } = service;
  // One with a key goes through `repeat` too.
  if (!actions.has(operation)) return isKeyed(exchange) ? undefined : respond;
  if (service.hasOnlyFile(operation))
    return operation.method !== 'GET' && responder.excludes(operation, request) ? respond : undefined;
  if (operation.method === 'GET' && responder.prefersExample(operation, request)) return respond;
  exchange.format = responder.chooseFormat(operation, request);
  return undefined;
};

/** Writes the outcome; without one, answers from the document. */
export const respond: Step = (exchange) => {
  const { outcome, preferences } = exchange;
  if (outcome) return respondWithState(exchange, toPreferred(exchange, outcome));
  return respondFromDocument(exchange, preferences, toApplied(preferences));
};

function toApplied(preferences: Preferences): HeaderFields | undefined {
  const applied = toPreferenceApplied(preferences);
  return applied === undefined ? undefined : { 'Preference-Applied': applied };
}

/** Adds the preferences that took effect to those that the outcome names. */
function joinApplied(
  headers: HeaderFields | undefined,
  applied: HeaderFields | undefined,
): HeaderFields | undefined {
  if (headers === undefined || applied === undefined) return headers ?? applied;
  const names = [headers, applied].flatMap(({ 'Preference-Applied': name }) => name ?? []);
  return { ...headers, 'Preference-Applied': names.join(', ') };
}

function respondWithState(exchange: Exchange, outcome: Outcome) {
  const { service, request, preferences } = exchange;
  const { variant } = preferences;
  const { operation } = exchange.match as Match;
  const { status = operation.successStatus, body, file, stream } = outcome;
  const headers = file ? outcome.headers : joinApplied(outcome.headers, variant && toApplied({ variant }));
  const format =
    status === operation.successStatus
      ? exchange.format
      : service.responder.chooseFormat(operation, request, status);
  // If the action has no body, the document provides it, even one that no format can write, such as a text.
  if (
    body === undefined &&
    !file &&
    !stream &&
    (format || service.responder.declaresContent(operation, request, status))
  )
    return respondFromDocument(exchange, { ...preferences, code: status }, headers);
  exchange.source = 'state';
  if (outcome.isLong) return respondLong(exchange, outcome, format);
  const response = service.responder.toResponse(operation, outcome, format, variant);
  exchange.response = headers && variant ? withHeaders(response, headers) : response;
  return undefined;
}

const NO_VALUES: Input['query'] = {};

/** Answers from the document: with an example, or with what is made up. */
export function respondFromDocument(
  exchange: Exchange,
  preferences: Preferences,
  headers: MockResponse['headers'] | undefined,
): undefined | Promise<undefined> {
  const { service, session, request } = exchange;
  const { operation, parameters: path } = exchange.match as Match;
  const finish = ({ response, source }: Negotiated) => {
    exchange.source = source;
    exchange.response = headers ? withHeaders(response, headers) : response;
    return undefined;
  };
  const question = {
    operation,
    preferences: withDynamic(preferences, service.options.dynamic),
    path,
    query: exchange.input?.query ?? NO_VALUES,
    request,
  };
  const negotiated = service.negotiate(question, session.negotiated, session.clock.now());
  return negotiated instanceof Promise ? negotiated.then(finish) : finish(negotiated);
}

/** Preferences with what the user of the mock prefers, where the client names no example and does not say whether to make one up. */
function withDynamic(preferences: Preferences, dynamic = false): Preferences {
  if (!dynamic || preferences.example !== undefined || preferences.dynamic !== undefined) return preferences;
  return { ...preferences, dynamic };
}

import type { Problem, Violation } from '../../base/problem.ts';
import { isPreflight, type MockRequest, type MockResponse } from '../../wire/message/message.ts';
import { type Breach, CLEAN, type Judgement } from '../journal/journal.ts';
import type { Exchange } from './exchange.ts';

/** Decides how a request breaks the contract. This is the only place that does: journal, coverage, runners, `verify` and log read it. */
export function judge(exchange: Exchange): Judgement {
  const { problem, warnings, ignoresBody, request, response, source } = exchange;
  const expected = isExpected(request, (response as MockResponse).status);
  if (problem === undefined && warnings.length === 0 && !ignoresBody) return expected ? EXPECTED : CLEAN;
  const isExcused = expected || source === 'fault' || isPreflight(request);
  return { warnings, breaches: isExcused ? CLEAN.breaches : findBreaches(exchange), expected };
}

const EXPECTED: Judgement = { ...CLEAN, expected: true };

/** Whether a request says that it breaks the contract on purpose: its header X-Mock-Expect lists the status, as `422` or `4xx`. */
function isExpected({ headers }: MockRequest, status: number): boolean {
  const expected = headers['x-mock-expect'];
  if (expected === undefined) return false;
  const names = [String(status), `${Math.floor(status / 100)}xx`];
  const listed = expected.slice(0, LONGEST_EXPECTED).split(',');
  return listed.some((each) => names.includes(each.trim().toLowerCase()));
}

const LONGEST_EXPECTED = 100;

function findBreaches(exchange: Exchange): readonly Breach[] {
  const { problem, warnings, ignoresBody } = exchange;
  return [
    ...(problem ? toProblemBreaches(problem, exchange) : []),
    ...warnings.filter(isUnknown).map(toBreach),
    ...(ignoresBody ? [BODY_IGNORED] : []),
  ];
}

function toProblemBreaches(problem: Problem, exchange: Exchange): readonly Breach[] {
  const { message, code, violations } = problem;
  if (violations.length > 0) return violations.map(toBreach);
  const kind = findKind(problem, exchange);
  return kind === undefined ? [] : [{ kind, location: 'request', message, code }];
}

/** Finds the kind of an error without findings; `undefined` if the error is about the state or about the mock itself. */
function findKind({ code }: Problem, { match, request, service }: Exchange): Breach['kind'] | undefined {
  if (!match) return UNKNOWN_TARGETS.has(code) ? 'unknown' : undefined;
  // The same status and code refuse a token that has ended and, with --strict-auth, one that nobody issued.
  if (code === 'unauthorized')
    return service.security?.admits(match.operation, request) === false ? 'violation' : undefined;
  return VIOLATIONS.has(code) ? 'violation' : undefined;
}

const UNKNOWN_TARGETS: ReadonlySet<string> = new Set([
  ...['path_not_found', 'method_not_allowed', 'method_not_implemented'],
]);

/** The errors of requests that the document does not allow, whatever the state is. */
const VIOLATIONS: ReadonlySet<string> = new Set([
  ...['malformed_form', 'malformed_json', 'malformed_multipart', 'malformed_path', 'malformed_text'],
  ...['malformed_xml', 'unsupported_media_type', 'not_acceptable'],
  ...['idempotency_key_reused', 'precondition_required'],
]);

const UNKNOWN_INPUT: ReadonlySet<string> = new Set(['parameter-unknown', 'member-unknown']);

function isUnknown({ code }: Violation): boolean {
  return UNKNOWN_INPUT.has(code);
}

function toBreach(violation: Violation): Breach {
  const { location, message, code } = violation;
  return { kind: isUnknown(violation) ? 'unknown' : 'violation', location, message, code };
}

const BODY_IGNORED: Breach = {
  kind: 'unknown',
  ...{ location: 'body', message: 'was sent, but the operation takes none', code: 'body-ignored' },
};

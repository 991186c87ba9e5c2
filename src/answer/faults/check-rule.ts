import { validateHeaderName, validateHeaderValue } from 'node:http';
import { parseInstant } from '../../base/clock.ts';
import { SetupError } from '../../base/problem.ts';
import { findCode, type Operation } from '../../model/operations/operations.ts';
import { CONNECTION_HEADERS } from '../../wire/message/message.ts';
import { buildConditions, type Condition } from './conditions.ts';
import {
  FAULT_EFFECTS,
  type FaultEffect,
  type FaultRule,
  type SequenceItem,
  toRuleName,
} from './fault-rule.ts';
import { type FaultTable, type OperationPattern, readOperationPattern } from './operation-pattern.ts';
import { parseRateLimit, type RateLimit } from './rate-limit.ts';
import { parseSequence } from './short-form.ts';

/** A rule that fits its document, with everything that can be decided before the first request. */
export interface CheckedRule {
  readonly rule: FaultRule;
  readonly pattern: OperationPattern;
  readonly conditions: readonly Condition[];
  readonly readsBody: boolean;
  /** One for each request that is hit; the last one stays. */
  readonly strikes: readonly Strike[];
  /** By the clock of the session. */
  readonly from: number;
  readonly until: number;
  readonly limit: RateLimit | undefined;
}

/** The effect on one request. An empty one is the ordinary answer. */
export interface Strike {
  readonly status?: number | undefined;
  readonly effect?: FaultEffect | undefined;
}

/** The status of a request past a limit (RFC 6585 section 4). */
const TOO_MANY = 429;

/** Checks a rule against a document. Throws a SetupError for one that the document does not allow. */
export function checkRule(rule: FaultRule, table: FaultTable): CheckedRule {
  const { match = {}, probability, times, headers = {} } = rule;
  const limit = readLimit(rule);
  const pattern = findPattern(rule, table);
  const strikes = readStrikes(rule, limit);
  for (const { status } of strikes) if (status !== undefined) checkErrorStatus(rule, status, pattern);
  checkExample(rule, pattern);
  if (probability !== undefined && !(probability >= 0 && probability <= 1))
    throw wrong(rule, `has the probability ${probability}. Choose one from 0 to 1.`);
  for (const [header, value] of Object.entries(headers)) checkHeader(rule, header, value);
  if (times === 0) throw wrong(rule, 'can never hit a request. Choose x1 or more.');
  for (const pointer of Object.keys(match.body ?? {}))
    if (pointer !== '' && !pointer.startsWith('/'))
      throw wrong(
        rule,
        `has the JSON Pointer "${pointer}", which does not begin with a slash. Write /${pointer}.`,
      );
  return {
    ...{ rule, pattern, strikes, limit },
    conditions: buildConditions(match),
    readsBody: match.body !== undefined,
    from: readTime(rule, 'from') ?? Number.NEGATIVE_INFINITY,
    until: readTime(rule, 'until') ?? Number.POSITIVE_INFINITY,
  };
}

function findPattern(rule: FaultRule, table: FaultTable): OperationPattern {
  const pattern = readOperationPattern(rule.operation, table);
  if (pattern) return pattern;
  const hint = table.hint(rule.operation);
  throw wrong(rule, `names an unknown operation.${hint} "petstore-mock routes" lists the operations.`);
}

function readStrikes(rule: FaultRule, limit: RateLimit | undefined): Strike[] {
  const { status, effect, sequence } = rule;
  if (sequence === undefined) return [{ status: status ?? (limit && TOO_MANY), effect }];
  const items = typeof sequence === 'string' ? parseSequence(sequence) : readItems(sequence);
  if (items === undefined || items.length === 0)
    throw wrong(
      rule,
      `has an invalid sequence. Write statuses, ok and ${FAULT_EFFECTS.join(', ')}, like 503,503,ok.`,
    );
  return items.map((item) =>
    typeof item === 'number' ? { status: item } : item === 'ok' ? {} : { effect: item },
  );
}

function readItems(items: readonly SequenceItem[]): SequenceItem[] | undefined {
  return parseSequence(items.map(String).join(','));
}

/** A limit refuses with 429, which HTTP itself allows. */
function checkErrorStatus(rule: FaultRule, status: number, { operations }: OperationPattern): void {
  if (status < 400 || status > 599)
    throw wrong(rule, 'has a status that is not an error. Choose one from 400 to 599.');
  const isOwn = status === TOO_MANY && rule.rateLimit !== undefined;
  if (rule.undeclared === true || isOwn) return;
  const without = [...operations].filter((operation) => findCode(operation, status) === undefined);
  const [first] = without;
  if (!first) return;
  const declared = first.codes.join(', ');
  const remedy = 'Add "undeclared": true to send it all the same.';
  throw operations.size === 1
    ? wrong(rule, `has a status that the document does not declare. It declares ${declared}. ${remedy}`)
    : wrong(
        rule,
        `has a status that ${without.length} of ${operations.size} operations do not declare, such as ${first.id} (${declared}). ${remedy}`,
      );
}

function checkExample(rule: FaultRule, { operations }: OperationPattern): void {
  const { example, status } = rule;
  if (example === undefined) return;
  const shown = new Set([...operations].flatMap((operation) => exampleNames(operation, status)));
  if (shown.has(example)) return;
  const names = [...shown].slice(0, 10).join(', ');
  const remedy = names === '' ? 'It has none there.' : `It has ${names}.`;
  throw wrong(rule, `names an example that the document does not have. ${remedy}`);
}

function exampleNames({ responses }: Operation, status: number | undefined): string[] {
  const meant = status === undefined ? responses : responses.filter(({ code }) => code === String(status));
  return meant.flatMap(({ contents }) => contents.flatMap(({ examples }) => examples.map(({ key }) => key)));
}

function readLimit(rule: FaultRule): RateLimit | undefined {
  if (rule.rateLimit === undefined) return undefined;
  const limit = parseRateLimit(rule.rateLimit);
  if (limit) return limit;
  throw wrong(
    rule,
    `has the invalid limit "${rule.rateLimit}". Write it like 10/1s, 100/1m or 10/1s:by=X-Api-Key.`,
  );
}

function readTime(rule: FaultRule, member: 'from' | 'until'): number | undefined {
  const text = rule[member];
  if (text === undefined) return undefined;
  const time = parseInstant(text);
  if (time !== undefined) return time;
  throw wrong(
    rule,
    `has an invalid time in ${member}. Write a date, or a date-time with its zone, like 2027-01-01T00:00:00Z.`,
  );
}

function checkHeader(rule: FaultRule, header: string, value: string): void {
  if (CONNECTION_HEADERS.has(header.toLowerCase()))
    throw wrong(
      rule,
      `has the header ${header}, which the server sets itself: any other value breaks the connection for every client. Remove it. The effects reset, timeout, truncate and drip break an answer on purpose.`,
    );
  try {
    validateHeaderName(header);
    validateHeaderValue(header, value);
  } catch (cause) {
    throw wrong(rule, `has a header that HTTP does not allow: ${(cause as Error).message}.`);
  }
}

function wrong(rule: FaultRule, mistake: string): SetupError {
  return new SetupError('fault-invalid', `The fault ${toRuleName(rule)} ${mistake}`, { usage: true });
}

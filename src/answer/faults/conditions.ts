import type { MockRequest } from '../../wire/message/message.ts';
import type { FaultRule, FaultValues } from './fault-rule.ts';

/** Whether a rule means a request, whose body is its value or `undefined`. */
export type Condition = (request: MockRequest, body: unknown) => boolean;

/** Builds the conditions of a rule. */
export function buildConditions({ query, headers, body }: NonNullable<FaultRule['match']>): Condition[] {
  return [
    ...toEntries(query).map(
      ([name, matches]): Condition =>
        (request) => {
          const values = new URLSearchParams(request.query).getAll(name);
          return values.length === 0 ? matches(undefined) : values.some(matches);
        },
    ),
    ...toEntries(headers).map(([name, matches]): Condition => {
      const lower = name.toLowerCase();
      return ({ headers: sent }) => matches(Object.hasOwn(sent, lower) ? sent[lower] : undefined);
    }),
    ...toEntries(body).map(([pointer, matches]): Condition => {
      const steps = toSteps(pointer);
      return (_, value) => matches(valueAt(value, steps));
    }),
  ];
}

type Matches = (value: unknown) => boolean;

function toEntries(values: FaultValues = {}): [string, Matches][] {
  return Object.entries(values).map(([name, wanted]) => [name, buildMatch(wanted)]);
}

/** Compares texts, so that `3` in a rule matches `3` in a query and in JSON. */
function buildMatch(wanted: string | number | boolean | null): Matches {
  if (wanted === null) return (value) => value === undefined || value === null;
  const [start = '', ...rest] = String(wanted).split('*');
  return (value) => {
    // An object of a client may have a toString that cannot be called.
    if (value === undefined || value === null || (typeof value === 'object' && isContainer(value)))
      return false;
    const text = String(value);
    return rest.length === 0 ? text === start : matchesParts(text, start, rest);
  };
}

/** Whether a value is a list or an object; a number that no double holds is neither. */
function isContainer(value: object): boolean {
  return Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

/** Looks for the parts one after the other, which takes as long as the text. */
function matchesParts(text: string, start: string, rest: readonly string[]): boolean {
  const end = rest.at(-1) ?? '';
  if (!text.startsWith(start) || !text.endsWith(end) || text.length < start.length + end.length) return false;
  const last = text.length - end.length;
  let at = start.length;
  for (const part of rest.slice(0, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > last) return false;
    at = found + part.length;
  }
  return true;
}

/** Splits a JSON Pointer (RFC 6901). */
function toSteps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function valueAt(value: unknown, steps: readonly string[]): unknown {
  let current = value;
  for (const step of steps) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return undefined;
    current = (current as Record<string, unknown>)[step];
  }
  return current;
}

import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Violation } from '../problem.ts';
import { LONGEST_TEXT, REFERENCE } from './keywords.ts';
import { createTwins } from './twins.ts';

/** A client is not helped by thousands of them. */
const MOST_FINDINGS = 99;

/**
 * What a validator has just found wrong with a value, in words. Of more than a hundred findings the last one says how many
 * there are at least.
 */
export function toFindings(
  failed: ValidateFunction,
  location: string,
  targetOf: (reference: string) => ValidateFunction,
): Violation[] {
  const found: Violation[] = [];
  let more = 0;
  const add = (error: ErrorObject, path: string): void => {
    if (found.length >= MOST_FINDINGS) more += 1;
    else if (error.keyword === REFERENCE) addReferred(error, path);
    else found.push(toViolation(error, location, path));
  };
  const addReferred = ({ params }: ErrorObject, path: string): void => {
    const { value, schema } = params as { readonly value: unknown; readonly schema: string };
    const target = targetOf(schema);
    if (!target(value)) addAll(target, path);
  };
  const addAll = ({ errors }: ValidateFunction, above: string): void => {
    const mistyped = new Set<string>();
    for (const error of errors ?? []) {
      const { keyword, instancePath } = error;
      if (isEcho(error, mistyped)) continue;
      // Paths may be as long as a body, so those that nobody reads are not even put together.
      if (keyword === 'type' && found.length < MOST_FINDINGS) mistyped.add(instancePath);
      add(error, above + instancePath);
    }
  };
  addAll(failed, '');
  if (found.length === 0) found.push({ location, message: 'must hold to its schema' });
  const message = `has at least ${more.toLocaleString('en-US')} more problems`;
  if (more > 0) found.push({ location, message, more });
  return found;
}

/**
 * Whether an error only repeats another one: `if` that a part of it failed, and a format that the value has the wrong type,
 * which Ajv reports first.
 */
function isEcho({ keyword, instancePath }: ErrorObject, mistyped: ReadonlySet<string>): boolean {
  if (keyword === 'if') return true;
  return keyword === 'format' && mistyped.size > 0 && mistyped.has(instancePath);
}

function toViolation(error: ErrorObject, location: string, path: string): Violation {
  const place = location + path.split('/').slice(1).map(toStep).join('');
  const explain = EXPLANATIONS[error.keyword];
  const { step = '', message } = explain?.(error.params) ?? {
    message: error.message ?? `breaks "${error.keyword}"`,
  };
  return { location: cut(place + toStep(step)), message: cut(message) };
}

interface Explanation {
  /** A member below the place that the error is about. */
  readonly step?: string;
  readonly message: string;
}

const EXPLANATIONS: Readonly<Record<string, (params: Record<string, unknown>) => Explanation>> = {
  required: ({ missingProperty }) => ({ step: String(missingProperty), message: 'is required' }),
  additionalProperties: ({ additionalProperty }) => ({
    step: String(additionalProperty),
    message: 'is not allowed here',
  }),
  enum: ({ allowedValues }) => ({
    message: `must be one of ${(allowedValues as unknown[]).map(String).join(', ')}`,
  }),
  type: ({ type }) => ({ message: `must be ${Array.isArray(type) ? type.join(' or ') : String(type)}` }),
  format: ({ format }) => ({ message: `must be a valid ${String(format)}` }),
  uniqueItems: ({ value }) => ({
    message: `must NOT have duplicate items (items ## ${createTwins()
      .find(value as unknown[])
      ?.join(' and ')} are identical)`,
  }),
};

/** `/a~1b` → `.a/b`, `/0` → `[0]`, nothing → nothing */
function toStep(token: string): string {
  if (token === '') return '';
  if (/^\d+$/.test(token)) return `[${token}]`;
  return `.${token.replaceAll('~1', '/').replaceAll('~0', '~')}`;
}

/** Names of members and values of the document may be of any length, and stand in a hundred findings. */
function cut(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text;
}

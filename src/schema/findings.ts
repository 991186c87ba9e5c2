import type { ErrorObject, ValidateFunction } from 'ajv';
import { toFindingCode } from '../base/finding-code.ts';
import type { Violation } from '../base/problem.ts';
import { LONGEST_TEXT, REFERENCE } from './keywords.ts';
import { createTwins } from './twins.ts';

/** Thousands of findings would not help a client. */
const MOST_FINDINGS = 99;

/** Explains the errors that a validator has just found. The hundredth finding counts the rest. */
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
    else found.push(explainError(error, location, path));
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
      // Paths may be as long as a body, so skip those that nobody reads.
      if (keyword === 'type' && found.length < MOST_FINDINGS) mistyped.add(instancePath);
      add(error, above + instancePath);
    }
  };
  addAll(failed, '');
  if (found.length === 0) found.push({ location, message: 'must match its schema', code: 'schema-mismatch' });
  const message = `has at least ${more.toLocaleString('en-US')} more problems`;
  if (more > 0) found.push({ location, message, code: 'findings-omitted', more });
  return found;
}

/** Whether an error only repeats an earlier one: a failed branch of an `if`, or the format of a value with the wrong type. */
function isEcho({ keyword, instancePath }: ErrorObject, mistyped: ReadonlySet<string>): boolean {
  if (keyword === 'if') return true;
  return keyword === 'format' && mistyped.size > 0 && mistyped.has(instancePath);
}

function explainError(error: ErrorObject, location: string, path: string): Violation {
  const place = location + path.split('/').slice(1).map(toStep).join('');
  const explain = EXPLANATIONS[error.keyword];
  const { step = '', message } = explain?.(error.params) ?? {
    message: error.message ?? `breaks "${error.keyword}"`,
  };
  return {
    location: limitLength(place + toStep(step)),
    message: limitLength(message),
    code: toFindingCode(error.keyword),
  };
}

interface Explanation {
  /** The member at fault, below the location of the error. */
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

/** Limits the size of a hundred findings, because names and enums may be of any length. */
function limitLength(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text;
}

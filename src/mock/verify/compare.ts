import { isObject, toPointer } from '../../schema/schema.ts';

/** A value of a request that differs from a pattern. */
export interface Difference {
  /** A JSON Pointer (RFC 6901) such as `/body/petId`. */
  readonly path: string;
  readonly expected: unknown;
  /** Absent where the request has none. */
  readonly actual?: unknown;
}

type Path = readonly (string | number)[];

/** Compares the members that a pattern names. `asText` is for places where every value is a text, such as the query. */
export function* compare(
  expected: unknown,
  actual: unknown,
  path: Path,
  asText = false,
): Generator<Difference, undefined> {
  if (expected === undefined) return;
  if (isPlain(expected) && isObject(actual) && Array.isArray(expected) === Array.isArray(actual)) {
    const isOther = Array.isArray(expected) && expected.length !== (actual as unknown as unknown[]).length;
    if (isOther) yield toDifference(expected, actual, path);
    else
      for (const [name, member] of Object.entries(expected)) {
        const own = Object.hasOwn(actual, name) ? actual[name] : undefined;
        yield* compare(member, own, [...path, name], asText);
      }
  } else if (!isMatch(expected, actual, asText)) yield toDifference(expected, actual, path);
}

function toDifference(expected: unknown, actual: unknown, path: Path): Difference {
  return { path: toPointer(path), expected, ...(actual !== undefined && { actual }) };
}

/** Whether a value is an object or a list, whose members are compared one by one. */
function isPlain(value: unknown): value is object {
  return isObject(value) && !(value instanceof RegExp) && !isMatcher(value);
}

function isMatch(expected: unknown, actual: unknown, asText: boolean): boolean {
  if (isMatcher(expected)) return expected.asymmetricMatch(actual);
  // A sticky or global expression would begin where its last search ended.
  if (expected instanceof RegExp) return actual !== undefined && String(actual).search(expected) >= 0;
  return Object.is(expected, actual) || (asText && typeof actual === 'string' && actual === String(expected));
}

/** A matcher of a test runner, such as `expect.any(Number)`. */
interface Matcher {
  asymmetricMatch(actual: unknown): boolean;
  toAsymmetricMatcher?(): string;
}

function isMatcher(value: unknown): value is Matcher {
  return isObject(value) && typeof value.asymmetricMatch === 'function';
}

const MOST_CHARACTERS = 200;

/** Writes a value of a pattern or a request as short text. */
export function toShown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text =
    JSON.stringify(value, (_, member: unknown) => {
      if (member instanceof RegExp) return String(member);
      if (isMatcher(member)) return member.toAsymmetricMatcher?.() ?? String(member);
      return typeof member === 'bigint' ? String(member) : member;
    }) ?? String(value);
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}...`;
}

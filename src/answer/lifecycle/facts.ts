import { parseTimestamp } from '../../base/clock.ts';
import { SetupError } from '../../base/problem.ts';
import { type Diagnostic, type Source, toDiagnostic } from '../../document/document.ts';
import type { Operation } from '../../model/operations/operations.ts';
import { isObject } from '../../schema/schema.ts';

/** The deprecation and stability of an operation, as the document or the configuration states them. */
export interface LifecycleFacts {
  readonly deprecated?: boolean;
  /** The past or future start of the deprecation: an RFC 3339 date or date-time. */
  readonly deprecation?: string;
  /** The date from which it may be gone: an RFC 3339 date or date-time, not before the deprecation. */
  readonly sunset?: string;
  /** The replacement: an operationId, a label such as `GET /pets`, a path or a URL. */
  readonly successor?: string;
  /** URL of a page about this deprecation. */
  readonly deprecationLink?: string;
  /** URL of a page about the retirement policy. */
  readonly sunsetLink?: string;
  /** `experimental`, `beta`, ...; `stable` is not announced. */
  readonly stability?: string;
}

type LifecycleKey = Exclude<keyof LifecycleFacts, 'deprecated'>;

/** The context in which the facts of all operations are read. */
export interface LifecycleParts {
  /** Locates mistakes in the document. */
  readonly source: Source;
  /** The names of operations that are not served. */
  readonly leftOut: ReadonlySet<string>;
  readonly find: (idOrLabel: string) => Operation | undefined;
}

/**
 * Reads the facts of an operation; those of `override` take precedence. Ignores and reports invalid ones of the document, and throws
 * a SetupError for those of `override`.
 */
export function readFacts(
  operation: Operation,
  parts: LifecycleParts,
  override: LifecycleFacts,
): { readonly facts: LifecycleFacts; readonly diagnostics: readonly Diagnostic[] } {
  const { facts: documented, diagnostics } = readExtensions(operation, parts, override);
  const facts = withoutLeftOut({ ...documented, ...override }, parts.leftOut);
  const reason = findReason(facts, parts.find);
  if (reason !== undefined)
    throw new SetupError(
      'lifecycle-option-invalid',
      `${operation.label}: ${reason}. Correct it in the document or in the config file.`,
    );
  return { facts, diagnostics };
}

/**
 * The extensions of each fact; the first one present wins. A dotted key reads a member of an object. The keys are those of oasdiff, Procore, GitBook, Microsoft, GitHub, Speakeasy, Scalar and Fern, beside our own
 * `x-deprecation-link` and `x-sunset-link`.
 */
const DOCUMENT_KEYS: Readonly<Record<LifecycleKey, readonly string[]>> = {
  deprecation: ['x-deprecated-at', 'x-ms-deprecation.date', 'x-github.deprecationDate'],
  sunset: [
    'x-sunset',
    'x-deprecated-sunset',
    'x-remove-on',
    'x-ms-deprecation.removalDate',
    'x-github.removalDate',
  ],
  successor: ['x-replaced-by', 'x-speakeasy-deprecation-replacement'],
  deprecationLink: ['x-deprecation-link'],
  sunsetLink: ['x-sunset-link'],
  stability: ['x-stability', 'x-stability-level', 'x-scalar-stability', 'x-fern-availability'],
};

/** Drops a successor that is not served. */
function withoutLeftOut(
  { successor, ...facts }: LifecycleFacts,
  leftOut: ReadonlySet<string>,
): LifecycleFacts {
  return successor === undefined || leftOut.has(successor) ? facts : { ...facts, successor };
}

/** Reads the facts that are not overridden from the extensions of an operation. */
function readExtensions(
  { method, path, extensions }: Operation,
  { source, find, leftOut }: LifecycleParts,
  override: LifecycleFacts,
) {
  const facts: Record<string, unknown> = {};
  const diagnostics: Diagnostic[] = [];
  for (const [fact, keys] of Object.entries(DOCUMENT_KEYS)) {
    const key = keys.find((each) => (readKey(extensions, each) ?? null) !== null);
    if (key === undefined || override[fact as LifecycleKey] !== undefined) continue;
    const value = readKey(extensions, key);
    const reason = leftOut.has(String(value)) ? undefined : findReason({ ...facts, [fact]: value }, find);
    if (reason === undefined) facts[fact] = value;
    else {
      const place = ['paths', path, method.toLowerCase(), ...key.split('.')];
      const mistake = { source, path: place, reason, remedy: 'Correct or remove it.' };
      diagnostics.push(toDiagnostic('ignored', key, { code: 'lifecycle-invalid', ...mistake }));
    }
  }
  if (facts.stability === undefined && extensions['x-beta'] === true) facts.stability = 'beta';
  return { facts: facts as LifecycleFacts, diagnostics };
}

function readKey(extensions: Readonly<Record<string, unknown>>, key: string): unknown {
  const [name = '', member] = key.split('.');
  const value = extensions[name];
  if (member === undefined) return value;
  return isObject(value) ? value[member] : undefined;
}

/** Explains why the first invalid fact is invalid; `undefined` if all are valid. */
function findReason(facts: LifecycleFacts, find: LifecycleParts['find']): string | undefined {
  for (const [fact, toReason] of Object.entries(REASONS)) {
    const value = facts[fact as LifecycleKey];
    const reason = value === undefined ? undefined : toReason(value, facts, find);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

type ToReason = (value: unknown, facts: LifecycleFacts, find: LifecycleParts['find']) => string | undefined;

/** Explains why a fact is invalid, in the order of checking. */
const REASONS: Readonly<Record<LifecycleKey, ToReason>> = {
  deprecation: (value) => toDateReason('deprecation', value),
  sunset(value, { deprecation }) {
    const reason = toDateReason('sunset', value);
    const early = !reason && Number(parseFact(value)) < Number(parseFact(deprecation));
    return early ? `the sunset ${value} is before the deprecation ${deprecation}` : reason;
  },
  successor(value, _, find) {
    const path = find(String(value))?.path ?? value;
    const leads = typeof path === 'string' && /^(\/|https?:\/\/)/.test(path);
    return leads
      ? undefined
      : `the successor ${formatFact(value)} is not an operationId, path or URL of the document`;
  },
  deprecationLink: (value) => toLinkReason('deprecation', value),
  sunsetLink: (value) => toLinkReason('sunset', value),
  stability: (value) =>
    typeof value === 'string' && /^[\w .-]+$/.test(value)
      ? undefined
      : `the stability ${formatFact(value)} is invalid. Write experimental, alpha, beta or stable`,
};

function toDateReason(what: string, value: unknown): string | undefined {
  if (parseFact(value) !== undefined) return undefined;
  return `the ${what} date ${formatFact(value)} is invalid. Write it like 2027-06-30 or 2027-06-30T12:00:00Z`;
}

function toLinkReason(relation: string, url: unknown): string | undefined {
  const isLink = typeof url === 'string' && /^[!#-;=?-~]+$/.test(url);
  return isLink ? undefined : `the ${relation} link ${formatFact(url)} is not a URL`;
}

function formatFact(value: unknown): string {
  return isObject(value) ? 'in a mapping' : `"${value}"`;
}

/** Parses a date to Unix seconds; `undefined` if there is none. */
export function parseFact(value: unknown): number | undefined {
  return value === undefined ? undefined : parseTimestamp(value);
}

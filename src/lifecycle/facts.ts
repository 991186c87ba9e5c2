import { parseTimestamp } from '../clock.ts';
import type { Source } from '../document/document.ts';
import { type Note, toNote } from '../document/document.ts';
import type { Operation } from '../operations/operations.ts';
import { SetupError } from '../problem.ts';
import { isObject } from '../schema/schema.ts';

/** What is known of an operation's deprecation and stability, from the document or from configuration. */
export interface LifecycleFacts {
  readonly deprecated?: boolean;
  /** Since when, or from when on, it is deprecated: an RFC 3339 date or date-time. */
  readonly deprecation?: string;
  /** When it may be gone: an RFC 3339 date or date-time, not before the deprecation. */
  readonly sunset?: string;
  /** What replaces it: an operationId, a label such as `GET /pets`, a path or a URL. */
  readonly successor?: string;
  /** URL of a page about this deprecation. */
  readonly deprecationLink?: string;
  /** URL of a page about the retirement policy. */
  readonly sunsetLink?: string;
  /** `experimental`, `beta`, ...; `stable` is not announced. */
  readonly stability?: string;
}

export type LifecycleKey = Exclude<keyof LifecycleFacts, 'deprecated'>;

/** What the announcements of a document's operations are made of. */
export interface LifecycleParts {
  /** Where what is wrong in the document is told. */
  readonly source: Source;
  /** What operations are called that are not served. */
  readonly leftOut: ReadonlySet<string>;
  readonly find: (idOrLabel: string) => Operation | undefined;
}

/**
 * The facts of an operation, those of `override` before those of the document, and what of the document counts for nothing. Throws
 * a SetupError for a fact of `override` that cannot be announced.
 */
export function readFacts(
  operation: Operation,
  parts: LifecycleParts,
  override: LifecycleFacts,
): { readonly facts: LifecycleFacts; readonly notes: readonly Note[] } {
  const { facts: said, notes } = readDocument(operation, parts, override);
  const facts = withoutLeftOut({ ...said, ...override }, parts.leftOut);
  const wrong = findWrong(facts, parts.find);
  if (wrong !== undefined) throw mistake(operation, wrong);
  return { facts, notes };
}

/**
 * Where documents write what, the first one present wins. A dotted key reads a member of an object.
 * The keys are those of oasdiff, Procore, GitBook, Microsoft, GitHub, Speakeasy, Scalar and Fern, beside our own
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

/** What is not served is no successor. */
function withoutLeftOut(
  { successor, ...facts }: LifecycleFacts,
  leftOut: ReadonlySet<string>,
): LifecycleFacts {
  return successor === undefined || leftOut.has(successor) ? facts : { ...facts, successor };
}

/** What the extensions of an operation say that is not overridden, and what of it counts for nothing. */
function readDocument(
  { method, path, extensions }: Operation,
  { source, find, leftOut }: LifecycleParts,
  override: LifecycleFacts,
) {
  const facts: Record<string, unknown> = {};
  const notes: Note[] = [];
  for (const [fact, keys] of Object.entries(DOCUMENT_KEYS)) {
    const key = keys.find((each) => (readKey(extensions, each) ?? null) !== null);
    if (key === undefined || override[fact as LifecycleKey] !== undefined) continue;
    const value = readKey(extensions, key);
    const reason = leftOut.has(String(value)) ? undefined : findWrong({ ...facts, [fact]: value }, find);
    if (reason === undefined) facts[fact] = value;
    else {
      const place = ['paths', path, method.toLowerCase(), ...key.split('.')];
      notes.push(toNote('ignored', key, { source, path: place, reason, remedy: 'Correct or remove it.' }));
    }
  }
  if (facts.stability === undefined && extensions['x-beta'] === true) facts.stability = 'beta';
  return { facts: facts as LifecycleFacts, notes };
}

function readKey(extensions: Readonly<Record<string, unknown>>, key: string): unknown {
  const [name = '', member] = key.split('.');
  const value = extensions[name];
  if (member === undefined) return value;
  return isObject(value) ? value[member] : undefined;
}

/** Why the first fact that cannot be announced cannot be. */
function findWrong(facts: LifecycleFacts, find: LifecycleParts['find']): string | undefined {
  for (const [fact, toReason] of Object.entries(REASONS)) {
    const value = facts[fact as LifecycleKey];
    const reason = value === undefined ? undefined : toReason(value, facts, find);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
type ToReason = (value: unknown, facts: LifecycleFacts, find: LifecycleParts['find']) => string | undefined;

/** What is wrong with a fact, in the order in which they are looked at. */
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
    return leads ? undefined : `the successor ${show(value)} is no operationId, path or URL of the document`;
  },
  deprecationLink: (value) => toLinkReason('deprecation', value),
  sunsetLink: (value) => toLinkReason('sunset', value),
  stability: (value) =>
    typeof value === 'string' && /^[\w .-]+$/.test(value)
      ? undefined
      : `the stability ${show(value)} is no word. Write experimental, alpha, beta or stable`,
};

function toDateReason(what: string, value: unknown): string | undefined {
  if (parseFact(value) !== undefined) return undefined;
  return `the ${what} date ${show(value)} is no date. Write it like 2027-06-30 or 2027-06-30T12:00:00Z`;
}

function toLinkReason(relation: string, url: unknown): string | undefined {
  const isLink = typeof url === 'string' && /^[!#-;=?-~]+$/.test(url);
  return isLink ? undefined : `the ${relation} link ${show(url)} is no URL`;
}

function show(value: unknown): string {
  return isObject(value) ? 'in a mapping' : `"${value}"`;
}

/** Unix seconds; `undefined` for what is no date. */
export function parseFact(value: unknown): number | undefined {
  return value === undefined ? undefined : parseTimestamp(value);
}

function mistake(operation: Operation, what: string): SetupError {
  return new SetupError(`${operation.label}: ${what}. Correct it in the document or in the config file.`);
}

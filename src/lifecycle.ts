import type { Operation } from './operations.ts';
import { SetupError } from './problem.ts';
import { isObject } from './schema.ts';
import { parseTimestamp, toDay, toHttpDate } from './timestamp.ts';

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

/** The announcements of one operation, put together at load. */
export interface Lifecycle {
  readonly deprecated: boolean;
  /** Unix seconds. */
  readonly sunset: number | undefined;
  /** Unless stable. */
  readonly stability: string | undefined;
  /** A sentence for people; `undefined` for an operation that is neither deprecated nor unstable. */
  readonly notice: string | undefined;
  /** The headers for a request with these (decoded) path parameters, that came under this base path. */
  headers(parameters: Readonly<Record<string, string>>, base: string): Record<string, string>;
}

export type LifecycleKey = Exclude<keyof LifecycleFacts, 'deprecated'>;

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

const UNANNOUNCED = new Set(['stable', 'generally-available', 'ga', 'deprecated']);

/**
 * The announcements of an operation: Deprecation (RFC 9745), Sunset (RFC 8594), Link, Warning and X-Stability. Throws a
 * SetupError for a date that is none, a sunset before its deprecation, a successor or link that leads nowhere.
 */
export function buildLifecycle(
  operation: Operation,
  find: (idOrLabel: string) => Operation | undefined,
  override: LifecycleFacts = {},
): Lifecycle {
  const facts = { ...readFacts(operation), ...override };
  const stability = readStability(operation, facts.stability);
  const deprecation = readDeprecation(operation, facts, find, override.sunset !== undefined);
  const unstable = stability === undefined ? undefined : `${operation.id} is ${stability} and may change`;
  const fixed = { ...deprecation?.headers, ...(stability !== undefined && { 'X-Stability': stability }) };
  const links = deprecation?.links ?? [];
  return {
    deprecated: deprecation?.deprecated ?? false,
    sunset: deprecation?.sunset,
    stability,
    notice: [deprecation?.notice, unstable].filter(Boolean).join('; ') || undefined,
    headers(parameters, base) {
      const successor = deprecation?.toSuccessor?.(parameters, base);
      const all = successor === undefined ? links : [...links, `<${successor}>; rel="successor-version"`];
      return all.length === 0 ? fixed : { ...fixed, Link: all.join(', ') };
    },
  };
}

type ToSuccessor = (parameters: Readonly<Record<string, string>>, base: string) => string | undefined;

interface Deprecation {
  /** False where only the end is announced. */
  readonly deprecated: boolean;
  readonly sunset: number | undefined;
  readonly notice: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly links: readonly string[];
  readonly toSuccessor: ToSuccessor | undefined;
}

function readDeprecation(
  operation: Operation,
  facts: LifecycleFacts,
  find: (idOrLabel: string) => Operation | undefined,
  ending: boolean,
): Deprecation | undefined {
  const since = readDate(operation, 'deprecation', facts.deprecation);
  const deprecated = facts.deprecated ?? (operation.deprecated || since !== undefined);
  // A sunset alone is announced only where configuration asks for it.
  if (!deprecated && !ending) return undefined;
  const sunset = readDate(operation, 'sunset', facts.sunset);
  if (sunset !== undefined && since !== undefined && sunset < since) {
    throw mistake(operation, `the sunset ${facts.sunset} is before the deprecation ${facts.deprecation}`);
  }
  const notice = toNotice(operation.id, { deprecated, since, sunset, successor: facts.successor });
  return {
    deprecated,
    sunset,
    notice,
    headers: {
      // RFC 9745 has no value for "since when is not known"; the epoch says that it is deprecated now.
      ...(deprecated && { Deprecation: `@${since ?? 0}` }),
      ...(sunset !== undefined && { Sunset: toHttpDate(sunset) }),
      Warning: `299 - ${toQuoted(notice)}`,
    },
    links: [
      ...toLink(operation, 'deprecation', facts.deprecationLink),
      ...toLink(operation, 'sunset', facts.sunsetLink),
    ],
    toSuccessor: facts.successor === undefined ? undefined : readSuccessor(operation, facts.successor, find),
  };
}

function readFacts({ extensions }: Operation): LifecycleFacts {
  const facts: Record<string, unknown> = {};
  for (const [fact, keys] of Object.entries(DOCUMENT_KEYS)) {
    const value = keys.map((key) => readKey(extensions, key)).find((found) => found !== undefined);
    if (value !== undefined) facts[fact] = value;
  }
  if (facts.stability === undefined && extensions['x-beta'] === true) facts.stability = 'beta';
  return facts;
}

function readKey(extensions: Readonly<Record<string, unknown>>, key: string): unknown {
  const [name = '', member] = key.split('.');
  const value = extensions[name];
  if (member === undefined) return value;
  return isObject(value) ? value[member] : undefined;
}

function readDate(operation: Operation, what: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const seconds = parseTimestamp(value);
  if (seconds !== undefined) return seconds;
  throw mistake(
    operation,
    `the ${what} date "${value}" is no date. Write it like 2027-06-30 or 2027-06-30T12:00:00Z`,
  );
}

function readStability(operation: Operation, value: unknown): string | undefined {
  if (value === undefined || UNANNOUNCED.has(String(value).toLowerCase())) return undefined;
  if (typeof value === 'string' && /^[\w .-]+$/.test(value)) return value;
  throw mistake(operation, `the stability "${value}" is no word. Write experimental, alpha, beta or stable`);
}

/** An operation's path has the request's parameters put in: by name, else by position. */
function readSuccessor(
  operation: Operation,
  successor: string,
  find: (idOrLabel: string) => Operation | undefined,
): ToSuccessor {
  const replacement = find(successor);
  const path = replacement?.path ?? successor;
  if (!/^(\/|https?:\/\/)/.test(path)) {
    throw mistake(operation, `the successor "${successor}" is no operationId, path or URL of the document`);
  }
  return (parameters, base) => {
    const values = Object.values(parameters);
    const names: string[] = path.match(/\{[^{}]+\}/g) ?? [];
    let complete = true;
    const target = path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
      const value =
        parameters[name] ?? (names.length === values.length ? values[names.indexOf(`{${name}}`)] : undefined);
      complete &&= value !== undefined;
      return encodeURIComponent(value ?? '');
    });
    return complete ? (replacement ? base : '') + target : undefined;
  };
}

function toLink(operation: Operation, relation: string, url: string | undefined): string[] {
  if (url === undefined) return [];
  if (!/^[!#-;=?-~]+$/.test(url)) throw mistake(operation, `the ${relation} link "${url}" is no URL`);
  return [`<${url}>; rel="${relation}"`];
}

interface Notice {
  readonly deprecated: boolean;
  readonly since: number | undefined;
  readonly sunset: number | undefined;
  readonly successor: string | undefined;
}

function toNotice(id: string, { deprecated, since, sunset, successor }: Notice): string {
  const parts = [
    ...(deprecated ? [since === undefined ? 'is deprecated' : `is deprecated since ${toDay(since)}`] : []),
    ...(sunset === undefined ? [] : [`ends on ${toDay(sunset)}`]),
  ];
  return `${id} ${parts.join(' and ')}${successor === undefined ? '' : `; use ${successor} instead`}`;
}

function toQuoted(text: string): string {
  return `"${text.replace(/[^ -~]/g, '?').replace(/["\\]/g, '\\$&')}"`;
}

function mistake(operation: Operation, what: string): SetupError {
  return new SetupError(`${operation.label}: ${what}. Correct it in the document or in the config file.`);
}

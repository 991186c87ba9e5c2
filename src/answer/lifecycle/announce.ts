import { toDay, toHttpDate } from '../../base/clock.ts';
import type { Diagnostic } from '../../document/document.ts';
import type { Operation } from '../../model/operations/operations.ts';
import { type HeaderFields, NO_HEADERS, toTarget } from '../../wire/message/message.ts';
import { type LifecycleFacts, type LifecycleParts, parseFact, readFacts } from './facts.ts';

export type { LifecycleFacts } from './facts.ts';

/** The announcements of one operation, built at load. */
export interface Lifecycle {
  readonly deprecated: boolean;
  /** Unix seconds. */
  readonly sunset: number | undefined;
  /** `undefined` if stable. */
  readonly stability: string | undefined;
  /** A sentence for readers; `undefined` for an operation that is neither deprecated nor unstable. */
  readonly notice: string | undefined;
  /** The operation, path or URL to use instead. */
  readonly successor: string | undefined;
  /** Returns the link to the successor for a request, if its parameters suffice. */
  link(parameters: Readonly<Record<string, string>>, base: string): string | undefined;
  /** Returns the headers for a request with these decoded path parameters, under this base path. */
  headers(parameters: Readonly<Record<string, string>>, base: string): HeaderFields;
}

const STABLE = new Set(['stable', 'generally-available', 'ga', 'deprecated']);

/** The announcements of one operation, with diagnostics of its extensions. */
interface BuiltLifecycle {
  readonly lifecycle: Lifecycle;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Builds the announcements of an operation: Deprecation (RFC 9745), Sunset (RFC 8594), Link, Warning and X-Stability. Ignores an
 * invalid date, a sunset before its deprecation, and an unknown successor or link in the document; throws a SetupError for one in
 * `override`.
 */
export function buildLifecycle(
  operation: Operation,
  parts: LifecycleParts,
  override: LifecycleFacts = {},
): BuiltLifecycle {
  const isSilent = !operation.deprecated && hasNoMembers(operation.extensions) && hasNoMembers(override);
  if (isSilent) return UNANNOUNCED;
  const { facts, diagnostics } = readFacts(operation, parts, override);
  const stability = toStability(facts.stability);
  const deprecation = toDeprecation(operation, facts, parts.find, override.sunset !== undefined);
  const unstable = stability === undefined ? undefined : `${operation.id} is ${stability} and may change`;
  const fixed = { ...deprecation?.headers, ...(stability !== undefined && { 'X-Stability': stability }) };
  const links = deprecation?.links ?? [];
  const link: Lifecycle['link'] = (parameters, base) => deprecation?.toSuccessor?.(parameters, base);
  const lifecycle: Lifecycle = {
    deprecated: deprecation?.deprecated ?? false,
    sunset: deprecation?.sunset,
    stability,
    notice: [deprecation?.notice, unstable].filter(Boolean).join('; ') || undefined,
    successor: deprecation && facts.successor,
    link,
    headers(parameters, base) {
      const successor = link(parameters, base);
      const all = successor === undefined ? links : [...links, `<${successor}>; rel="successor-version"`];
      return all.length === 0 ? fixed : { ...fixed, Link: all.join(', ') };
    },
  };
  return { lifecycle, diagnostics };
}

const UNANNOUNCED: BuiltLifecycle = {
  lifecycle: {
    deprecated: false,
    sunset: undefined,
    stability: undefined,
    notice: undefined,
    successor: undefined,
    link: () => undefined,
    headers: () => NO_HEADERS,
  },
  diagnostics: [],
};

function hasNoMembers(members: object): boolean {
  return Object.keys(members).length === 0;
}

type ToSuccessor = (parameters: Readonly<Record<string, string>>, base: string) => string | undefined;

interface Deprecation {
  /** False if only the sunset is announced. */
  readonly deprecated: boolean;
  readonly sunset: number | undefined;
  readonly notice: string;
  readonly headers: HeaderFields;
  readonly links: readonly string[];
  readonly toSuccessor: ToSuccessor | undefined;
}

function toDeprecation(
  operation: Operation,
  facts: LifecycleFacts,
  find: LifecycleParts['find'],
  ending: boolean,
): Deprecation | undefined {
  const since = parseFact(facts.deprecation);
  const deprecated = facts.deprecated ?? (operation.deprecated || since !== undefined);
  // A sunset alone is announced only if the configuration sets it.
  if (!deprecated && !ending) return undefined;
  const sunset = parseFact(facts.sunset);
  const notice = toNotice(operation.id, { deprecated, since, sunset, successor: facts.successor });
  return {
    deprecated,
    sunset,
    notice,
    headers: {
      // RFC 9745 has no value for an unknown date; the epoch means that it is deprecated now.
      ...(deprecated && { Deprecation: `@${since ?? 0}` }),
      ...(sunset !== undefined && { Sunset: toHttpDate(sunset) }),
      Warning: `299 - ${toQuoted(notice)}`,
    },
    links: [...toLink('deprecation', facts.deprecationLink), ...toLink('sunset', facts.sunsetLink)],
    toSuccessor: facts.successor === undefined ? undefined : toSuccessor(facts.successor, find),
  };
}

function toStability(value: string | undefined): string | undefined {
  return value === undefined || STABLE.has(value.toLowerCase()) ? undefined : value;
}

/** Fills the request's parameters into the path of the successor, by name or else by position. */
function toSuccessor(successor: string, find: LifecycleParts['find']): ToSuccessor {
  const replacement = find(successor);
  const path = replacement?.path ?? successor;
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
    return complete ? toTarget((replacement ? base : '') + target) : undefined;
  };
}

function toLink(relation: string, url: string | undefined): string[] {
  return url === undefined ? [] : [`<${url}>; rel="${relation}"`];
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

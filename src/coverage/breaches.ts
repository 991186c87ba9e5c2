import type { Observe } from '../handle/handle.ts';
import type { Violation } from '../problem.ts';
import { isExpected } from './expectation.ts';

type Exchange = Parameters<Observe>[0];

/** The parts of a request that the document does not know, and those that break it. */
interface Breaches {
  /** Sentences, each with its code. */
  readonly unknown: readonly string[];
  readonly violations: readonly {
    readonly location: string;
    readonly message: string;
    readonly code: string;
  }[];
}

const NO_BREACHES: Breaches = { unknown: [], violations: [] };

const UNKNOWN_INPUT: ReadonlySet<string> = new Set(['parameter-unknown', 'member-unknown']);
const UNKNOWN_TARGETS: ReadonlySet<string> = new Set([
  'path_not_found',
  'method_not_allowed',
  'method_not_implemented',
]);

/** Whether there may be any, which is rare. */
export function hasBreaches({ problem, warnings, ignoresBody }: Exchange): boolean {
  return problem !== undefined || warnings.length > 0 || ignoresBody;
}

/** Finds the breaches of a request; none where it announces the status that it got. */
export function findBreaches(exchange: Exchange): Breaches {
  const { problem, source, warnings, ignoresBody, request, response } = exchange;
  if (source === 'fault' || isExpected(request, response?.status ?? 0)) return NO_BREACHES;
  const found = problem?.violations ?? [];
  const isUnknownTarget = problem !== undefined && UNKNOWN_TARGETS.has(problem.code);
  const isBroken = problem !== undefined && found.length === 0 && BROKEN.test(problem.code);
  return {
    unknown: [
      ...(isUnknownTarget ? [`${problem.message} [${problem.code}]`] : []),
      ...found
        .filter(isUnknownInput)
        .map(({ location, message, code }) => `${location} ${message} [${code}]`),
      ...warnings.filter((text) => UNKNOWN_INPUT.has(/\[([\w-]+)\]$/.exec(text)?.[1] ?? '')),
      ...(ignoresBody ? ['a body was sent, but the operation takes none [body-ignored]'] : []),
    ],
    violations: [
      ...found.filter((violation) => !isUnknownInput(violation)),
      ...(isBroken ? [{ location: 'request', message: problem.message, code: problem.code }] : []),
    ],
  };
}

/** The format or the media type of a request is not one that the document declares. */
const BROKEN = /^(malformed_.*|unsupported_media_type|not_acceptable)$/;

function isUnknownInput({ code }: Violation): boolean {
  return UNKNOWN_INPUT.has(code);
}

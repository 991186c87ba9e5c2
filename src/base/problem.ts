import type { FindingCode } from './finding-code.ts';
import type { SetupCode } from './setup-code.ts';

/** One mistake in a request and its location. */
export interface Violation {
  /** A dotted path in the request, for example `body.categoryId` or `query.limit`. */
  readonly location: string;
  /** The complaint, worded to follow the location: `must be integer`. */
  readonly message: string;
  readonly code: FindingCode;
  /** The number of problems that it stands for, if more than one. */
  readonly more?: number;
}

/** Writes a finding in a request as text: `query.limt is not declared [parameter-unknown]`. */
export function toFindingText({
  location,
  message,
  code,
}: Omit<Violation, 'code'> & { code: string }): string {
  return `${location} ${message} [${code}]`;
}

/** The plain body of an error answer. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly status: number;
}

interface ProblemOptions {
  readonly violations?: readonly Violation[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** An error answer on its way to the client. Thrown anywhere below `handle.ts` and caught there, once. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  /** Stable, machine-readable, snake_case. */
  readonly code: string;
  readonly violations: readonly Violation[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, options: ProblemOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = status;
    this.code = code;
    this.violations = options.violations ?? [];
    this.headers = options.headers ?? {};
  }
}

const MESSAGE_VIOLATIONS = 10;
const HEADER_BUDGET = 4096;

/** A Problem whose message lists the first ten violations with their locations. */
export function violationProblem(status: number, code: string, violations: readonly Violation[]): Problem {
  const shown = violations
    .slice(0, MESSAGE_VIOLATIONS)
    .map(({ location, message }) => `${location}: ${message}`);
  const others = violations.slice(MESSAGE_VIOLATIONS);
  const more = others.reduce((sum, { more = 1 }) => sum + more, 0);
  if (more > 0) shown.push(`and ${more} more`);
  return new Problem(status, code, shown.join('; '), { violations });
}

/** Converts anything thrown to a Problem: itself, a 503 for a cause that may pass, or a 500 that reveals no internals. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isOutOfFiles(error))
    return new Problem(503, 'too_many_open_files', TOO_MANY_FILES, { cause: error, headers: SOON });
  return new Problem(500, 'internal_error', 'The mock server failed to answer; its log has the details.', {
    cause: error,
  });
}

const TOO_MANY_FILES =
  'A part of the mock could not be loaded, because too many files and connections are open. Close some, or raise "ulimit -n". Then send the request again.';
const SOON = { 'Retry-After': '1' };

/** Whether an error, or one that led to it, says that the process or the system may open no more files. */
export function isOutOfFiles(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { readonly code?: unknown };
  return code === 'EMFILE' || code === 'ENFILE' || isOutOfFiles(error.cause);
}

/** The error body for a document that declares no shape for it. */
export function toErrorBody(problem: Problem): ErrorBody {
  return { code: problem.code, message: problem.message, status: problem.status };
}

/** The headers that explain a Problem beside its body. */
export function toErrorHeaders(problem: Problem): Record<string, string> {
  const violations = toViolationsHeader(problem.violations);
  return violations === undefined
    ? { ...problem.headers }
    : { ...problem.headers, 'X-Mock-Violations': violations };
}

/** The violations as ASCII JSON, short enough for any client. Omits violations that do not fit, but truncates none. */
function toViolationsHeader(violations: readonly Violation[]): string | undefined {
  if (violations.length === 0) return undefined;
  const items: string[] = [];
  let length = 2;
  for (const { location, message, code } of violations) {
    const item = escapeNonAscii(JSON.stringify({ location, message, code }));
    if (length + item.length + 1 > HEADER_BUDGET) continue;
    length += item.length + 1;
    items.push(item);
  }
  return `[${items.join(',')}]`;
}

function escapeNonAscii(json: string): string {
  return json.replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * A mistake in the options, document or fixtures that the mock was started with. The message explains the remedy. `usage` marks a
 * mistake on the command line, in the environment or in the config file.
 */
export class SetupError extends Error {
  override readonly name = 'SetupError';
  readonly code: SetupCode;
  readonly usage: boolean;

  constructor(
    code: SetupCode,
    message: string,
    options: { readonly usage?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.usage = options.usage ?? false;
  }
}

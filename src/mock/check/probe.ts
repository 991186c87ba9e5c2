import type { Operation } from '../../model/operations/operations.ts';
import { toMediaType } from '../../wire/codecs/codecs.ts';
import type { MockRequest, MockResponse } from '../../wire/message/message.ts';
import type { Ask } from './answer.ts';
import { headerOf } from './answer.ts';
import type { CheckFinding } from './check-finding.ts';
import { toCurl } from './curl.ts';
import { type Expected, type Judge, judgeAnswer } from './judge.ts';

/** One request with its result. */
export interface CheckCase {
  /** The requested answer, as a clause: `404 as application/json`. */
  readonly name: string;
  /** The operationId or label of the operation. */
  readonly operation: string;
  readonly status: number;
  readonly mediaType: string | undefined;
  /** Everything that was wrong. */
  readonly violations: readonly CheckFinding[];
  /** The request as a line for the shell, if there are violations. */
  readonly curl: string | undefined;
  readonly milliseconds: number;
}

/** Sends requests, and records the judged answers. */
export interface Probe {
  readonly cases: readonly CheckCase[];
  /** A sentence for each check that was impossible. */
  readonly skipped: readonly string[];
  ask(question: ProbeQuestion): Promise<MockResponse>;
  skip(sentence: string): void;
  /** Records a request that got no answer. */
  miss(question: Pick<ProbeQuestion, 'name' | 'operation' | 'request'>, finding: CheckFinding): void;
}

interface ProbeQuestion {
  readonly name: string;
  readonly operation: Operation;
  readonly request: MockRequest;
  readonly expected: Expected;
  /** Finds further violations in the answer. */
  readonly also?: (response: MockResponse) => readonly CheckFinding[] | Promise<readonly CheckFinding[]>;
}

/** Creates an empty record of requests that go one way. `toLine` writes a request for the shell. */
export function createProbe(
  judge: Judge,
  ask: Ask,
  toLine: (request: MockRequest) => string = (request) => toCurl(request),
): Probe {
  const cases: CheckCase[] = [];
  const skipped: string[] = [];
  return {
    cases,
    skipped,
    skip: (sentence) => void skipped.push(sentence),
    miss({ name, operation, request }, finding) {
      const curl = toLine(request);
      const missed = { status: 0, mediaType: undefined, milliseconds: 0, violations: [finding] };
      cases.push({ name, operation: operation.id, curl, ...missed });
    },
    async ask({ name, operation, request, expected, also }) {
      const started = performance.now();
      const response = await ask(request);
      const milliseconds = performance.now() - started;
      const violations = [
        ...(await judgeAnswer(judge, operation, request, response, expected)),
        ...((await also?.(response)) ?? []),
      ];
      cases.push({
        name,
        operation: operation.id,
        status: response.status,
        mediaType: toMediaType(headerOf(response, 'Content-Type')),
        violations,
        curl: violations.length === 0 ? undefined : toLine(request),
        milliseconds: Math.round(milliseconds * 1000) / 1000,
      });
      return response;
    },
  };
}

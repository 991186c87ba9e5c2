import { toMediaType } from '../codecs/codecs.ts';
import type { MockRequest, MockResponse } from '../message.ts';
import type { Operation } from '../operations/operations.ts';
import type { Ask } from './answer.ts';
import { headerOf } from './answer.ts';
import { toCurl } from './curl.ts';
import { type Expected, type Judge, judgeAnswer } from './judge.ts';

/** One request that was put, and what came of it. */
export interface CheckCase {
  /** What was asked for, in a clause: `404 as application/json`. */
  readonly name: string;
  /** The operationId, or label, of the operation that was asked. */
  readonly operation: string;
  readonly status: number;
  readonly mediaType: string | undefined;
  /** A sentence for everything that was wrong. */
  readonly violations: readonly string[];
  /** The request as a line for the shell, where something was wrong. */
  readonly curl: string | undefined;
  readonly milliseconds: number;
}

/** Puts requests, has the answers judged, and keeps a record. */
export interface Probe {
  readonly cases: readonly CheckCase[];
  /** A sentence for each thing that could not be asked. */
  readonly skipped: readonly string[];
  ask(question: Asked): Promise<MockResponse>;
  skip(sentence: string): void;
}

export interface Asked {
  readonly name: string;
  readonly operation: Operation;
  readonly request: MockRequest;
  readonly expected: Expected;
  /** What else is wrong with the answer. */
  readonly also?: (response: MockResponse) => readonly string[] | Promise<readonly string[]>;
}

/** A fresh record of what is asked in one way. */
export function createProbe(judge: Judge, ask: Ask): Probe {
  const cases: CheckCase[] = [];
  const skipped: string[] = [];
  return {
    cases,
    skipped,
    skip: (sentence) => void skipped.push(sentence),
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
        curl: violations.length === 0 ? undefined : toCurl(request),
        milliseconds: Math.round(milliseconds * 1000) / 1000,
      });
      return response;
    },
  };
}

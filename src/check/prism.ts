import type { IHttpConfig } from '@stoplight/prism-http';
import type { Either } from 'fp-ts/Either';
import type { DocumentRoot } from '../document/document.ts';
import type { MockRequest, MockResponse } from '../message.ts';
import type { Operation } from '../operations/operations.ts';
import type { Violation } from '../problem.ts';
import { type PrismOperation, toPrismOperation, toPrismRequest } from './prism-operation.ts';

/** What Prism is asked for: nothing else in `src/` knows it. */
export interface Prism {
  /** Everything in which an answer does not hold to the document. */
  judge(operation: Operation, request: MockRequest, response: MockResponse): Promise<Violation[]>;
}

/** Prism over the operations of one document, imported now: it takes a good part of a second. */
export async function createPrism(root: DocumentRoot): Promise<Prism> {
  // By way of `default`, which is all that a bundled CommonJS module has.
  const { createInstance } = (await import('@stoplight/prism-http')).default;
  const prepare = keep((operation) => toPrismOperation(root, operation));
  return {
    async judge(operation, request, { status, headers, body: text }) {
      const json = /json/i.test(headers['Content-Type'] ?? '');
      const body: unknown = json && text !== undefined ? JSON.parse(text) : text;
      const resource = prepare(operation);
      // Its own router would sort and match all operations, so it is handed the one at hand, and the answer to judge.
      const instance = createInstance(SETTINGS, {
        logger: SILENT as never,
        route: () => right(resource),
        mock: () => () => right({ statusCode: status, headers: { ...headers }, body }),
      });
      const result = await instance.request(toPrismRequest(operation, request), [resource])();
      if (result._tag === 'Left') throw result.left;
      return result.right.validations.output.map((finding) => toViolation(finding));
    },
  };
}

/** Makes a form of an operation when it is first needed, and only once. */
function keep(make: (operation: Operation) => PrismOperation): (operation: Operation) => PrismOperation {
  const kept = new WeakMap<Operation, PrismOperation>();
  return (operation) => {
    const made = kept.get(operation) ?? make(operation);
    kept.set(operation, made);
    return made;
  };
}

interface Finding {
  readonly message: string;
  readonly path?: readonly (string | number)[];
}

const SETTINGS: IHttpConfig = {
  isProxy: false,
  checkSecurity: false,
  validateRequest: false,
  validateResponse: true,
  errors: false,
  mock: { dynamic: false },
  upstreamProxy: undefined,
};

const noop = (): void => {};
const SILENT: Record<string, unknown> = {
  success: noop,
  info: noop,
  warn: noop,
  error: noop,
  debug: noop,
  trace: noop,
  fatal: noop,
  child: () => SILENT,
};

function right<T>(value: T): Either<never, T> {
  return { _tag: 'Right', right: value };
}

function toViolation({ message, path }: Finding): Violation {
  const [place = 'request', ...steps] = path ?? [];
  return { location: [place, ...steps].join('.'), message };
}

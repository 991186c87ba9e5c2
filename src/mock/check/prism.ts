import type { IHttpConfig } from '@stoplight/prism-http';
import type { Either } from 'fp-ts/Either';
import type { Document } from '../../document/document.ts';
import type { Operation } from '../../model/operations/operations.ts';
import { isJson, toMediaType } from '../../wire/codecs/codecs.ts';
import type { MockRequest, MockResponse } from '../../wire/message/message.ts';
import type { ShowPart } from './hide-properties.ts';
import { type PrismOperation, toPrismOperation, toPrismRequest } from './prism-operation.ts';

/** A violation of the document in an answer. */
interface PrismViolation {
  /** A dotted path in the answer. */
  readonly location: string;
  readonly message: string;
}

/** The part of Prism that `check` uses. */
export interface Prism {
  /** Finds every violation of the document in an answer. */
  judge(operation: Operation, request: MockRequest, response: MockResponse): Promise<PrismViolation[]>;
}

/**
 * Creates Prism for one document. Imports it late, because that takes a good part of a second. `show` changes whatever contains schemas
 * before Prism sees it.
 */
export async function createPrism(
  { root }: Pick<Document, 'root'>,
  show: ShowPart = (part) => part,
): Promise<Prism> {
  // A bundled CommonJS module exports only `default`.
  const { createInstance } = (await import('@stoplight/prism-http')).default;
  const shown = { ...root, components: show(root.components) };
  const prepare = memoize((operation) => toPrismOperation(shown, operation, show));
  return {
    async judge(operation, request, { status, headers, body: content }) {
      // Prism knows only text. Bytes become a text of as many characters.
      const text = typeof content === 'object' ? Buffer.from(content).toString('latin1') : content;
      const json = isJson(toMediaType(headers['Content-Type']) ?? '');
      const body: unknown = json && text !== undefined ? JSON.parse(text) : text;
      const resource = withOwnTypeFirst(prepare(operation), headers['Content-Type']);
      // Prism's own router would sort and match all operations, so pass the one operation and the answer to judge.
      const instance = createInstance(SETTINGS, {
        logger: SILENT as never,
        route: () => right(resource),
        mock: () => () => right({ statusCode: status, headers: { ...headers }, body }),
      });
      const result = await instance.request(toPrismRequest(operation, request), [resource])();
      if (result._tag === 'Left') throw result.left;
      return result.right.validations.output.map((finding) => toPrismViolation(finding));
    },
  };
}

/** Puts the contents of the very type of an answer first, because Prism takes `application/hal+json` for `application/json`. */
function withOwnTypeFirst(operation: PrismOperation, type: string | undefined): PrismOperation {
  const isOwn = ({ mediaType }: { readonly mediaType: string }) =>
    toMediaType(mediaType) === toMediaType(type);
  const [first, ...others] = operation.responses.map(({ contents = [], ...response }) => ({
    ...response,
    contents: [...contents.filter(isOwn), ...contents.filter((content) => !isOwn(content))],
  }));
  return first ? { ...operation, responses: [first, ...others] } : operation;
}

/** Converts each operation once, when it is first needed. */
function memoize(make: (operation: Operation) => PrismOperation): (operation: Operation) => PrismOperation {
  const known = new WeakMap<Operation, PrismOperation>();
  return (operation) => {
    const made = known.get(operation) ?? make(operation);
    known.set(operation, made);
    return made;
  };
}

interface PrismFinding {
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

function toPrismViolation({ message, path }: PrismFinding): PrismViolation {
  const [place = 'request', ...steps] = path ?? [];
  return { location: [place, ...steps].join('.'), message };
}

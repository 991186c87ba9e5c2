import { findResponse, mediaTypesOf, type Operation } from '../../model/operations/operations.ts';
import type { RequestOptions, SampleBody } from './requests.ts';

/** A request to a provider's server. */
export interface ProviderQuestion {
  /** A clause: `its own answer as application/json`. */
  readonly name: string;
  readonly options: RequestOptions;
  /** Other raw values of path parameters. */
  readonly values?: Readonly<Record<string, string>>;
  readonly mediaType?: string;
  /** Whether a valid request like this should succeed. */
  readonly succeeds: boolean;
}

/**
 * Lists what to ask of an operation: its own answer in every media type, once with every parameter, and once for a key that nothing
 * has. An operation that may change something is asked once.
 */
export function toProviderQuestions(
  operation: Operation,
  values: Readonly<Record<string, string>>,
  body: SampleBody | undefined,
): ProviderQuestion[] {
  const [first, ...others] = toAccepts(operation).map(
    (mediaType): ProviderQuestion => ({
      name: `its own answer${mediaType === undefined ? '' : ` as ${mediaType}`}`,
      options: { body, ...(mediaType !== undefined && { headers: { accept: mediaType } }) },
      ...(mediaType !== undefined && { mediaType }),
      succeeds: true,
    }),
  );
  if (!first) return [];
  if (!isSafe(operation)) return [first];
  const isOptional = operation.parameters.some(({ required }) => !required);
  const unknown = toUnknownKey(operation, values);
  return [
    ...[first, ...others],
    ...(isOptional
      ? [
          {
            ...first,
            name: `${first.name}, with every parameter`,
            options: { ...first.options, all: true },
            succeeds: false,
          },
        ]
      : []),
    ...(unknown
      ? [{ ...first, name: `${first.name}, for a key that nothing has`, values: unknown, succeeds: false }]
      : []),
  ];
}

/** Whether an operation only reads (RFC 9110, section 9.2.1). */
export function isSafe({ method }: Operation): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method);
}

/** The media types of the successes; one `undefined` if there are none. */
function toAccepts(operation: Operation): (string | undefined)[] {
  const { responses } = operation;
  const successes = responses.filter(({ code }) => code.startsWith('2'));
  const answers = successes.length > 0 ? successes : responses.filter(({ code }) => code === 'default');
  const types = [...new Set(answers.flatMap((answer) => mediaTypesOf(answer)))];
  return types.length === 0 ? [undefined] : types;
}

/** The values with a key that nothing has, if the document says how that is answered and the form of keys is known. */
function toUnknownKey(
  operation: Operation,
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> | undefined {
  const last = Object.entries(values).at(-1);
  if (!last || !operation.path.endsWith(`{${last[0]}}`) || !findResponse(operation, 404)) return undefined;
  const unknown = UNKNOWN.find(([form]) => form.test(last[1]))?.[1];
  return unknown === undefined ? undefined : { ...values, [last[0]]: unknown };
}

const UNKNOWN: readonly (readonly [form: RegExp, key: string])[] = [
  [/^\d+$/, '2147483646'],
  [/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i, '00000000-0000-4000-8000-000000000000'],
];

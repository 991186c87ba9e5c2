import { toPreferenceApplied } from '../../answer/respond/respond.ts';
import {
  type DeclaredResponse,
  findResponse,
  mediaTypesOf,
  type Operation,
} from '../../model/operations/operations.ts';
import type { Expected } from './judge.ts';

/** One answer to request from an operation, by preferences and Accept. */
interface Question {
  /** A clause: `404 as application/json`. */
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly expected: Expected;
}

/**
 * Lists questions for every declared status in every media type: by default, with each named example, and generated. `stateful` is
 * true if state answers with the success status.
 */
export function toQuestions(operation: Operation, stateful: boolean): Question[] {
  return operation.responses.flatMap((response) =>
    toStatuses(operation, response).flatMap((status) => {
      const types = mediaTypesOf(response);
      const accepts = types.length === 0 ? [undefined] : types;
      const ofState = stateful && status === operation.successStatus;
      return accepts.flatMap((mediaType) => {
        const content = response.contents.find((each) => each.mediaType === mediaType);
        const examples = content?.examples.map(({ key }) => key) ?? [];
        return [
          toQuestion({ code: status }, mediaType, ofState),
          ...examples.map((example) => toQuestion({ code: status, example }, mediaType, false)),
          ...(examples.length > 0 && !ofState
            ? [toQuestion({ code: status, dynamic: true } as const, mediaType, false)]
            : []),
        ];
      });
    }),
  );
}

interface Preferred {
  readonly code: number;
  readonly example?: string;
  readonly dynamic?: true;
}

function toQuestion(preferred: Preferred, mediaType: string | undefined, ofState: boolean): Question {
  const { code, example, dynamic } = preferred;
  const prefer = toPreferenceApplied(preferred) ?? '';
  const how = example === undefined ? (dynamic ? ', made up' : '') : `, example ${example}`;
  return {
    name: `${code}${mediaType === undefined ? '' : ` as ${mediaType}`}${how}`,
    headers: { prefer, ...(mediaType !== undefined && { accept: mediaType }) },
    expected: {
      statuses: [code],
      mediaType,
      example,
      refusable: ofState,
      applied: ofState ? undefined : prefer,
    },
  };
}

/** Picks statuses that a response describes, except informational ones (1XX). */
function toStatuses(operation: Operation, response: DeclaredResponse): number[] {
  const code = response.code.toUpperCase();
  const candidates =
    code === 'DEFAULT'
      ? [...(hasSuccess(operation) ? [] : [200]), 500, 503, 400]
      : /^\dXX$/.test(code)
        ? [0, 1, 2, 3, 4].map((low) => Number(code[0]) * 100 + low)
        : [Number(code)];
  const most = code === 'DEFAULT' ? 2 : 1;
  return candidates
    .filter((status) => status >= 200 && findResponse(operation, status) === response)
    .slice(0, most);
}

function hasSuccess({ responses }: Operation): boolean {
  return responses.some(({ code }) => code.startsWith('2'));
}

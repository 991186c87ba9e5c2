import { once } from '../../base/once.ts';
import { type Problem, toErrorHeaders } from '../../base/problem.ts';
import { type DeclaredHeaders, findResponse, type Operation } from '../../model/operations/operations.ts';
import { isJson, toActualType, toMediaType } from '../../wire/codecs/codecs.ts';
import { type MockResponse, withContent } from '../../wire/message/message.ts';
import {
  buildExampleFormat,
  buildPlainFormat,
  buildSchemaFormat,
  buildTextFormat,
  chooseErrorContent,
  type ErrorFormat,
  hasExample,
  PROBLEM_DETAILS,
} from './error-format.ts';
import type { Occurrence } from './facts.ts';
import type { FillParts } from './fill.ts';
import { createSchemaFiller, type SchemaFiller } from './schema-filler.ts';
import { findSharedFormat } from './shared-format.ts';

export { toDeclaredProblem } from './declared-status.ts';
export type { Occurrence } from './facts.ts';

/** Error answers in the shapes that the document declares, each prepared on first use. */
export interface ErrorShapes extends Pick<SchemaFiller, 'fill'> {
  /** Answers a Problem of an operation, or of a request that matches none. Does not throw. */
  respond(problem: Problem, operation: Operation | undefined, occurrence: Occurrence): MockResponse;
}

interface ErrorShapeParts extends FillParts {
  readonly operations: readonly Operation[];
  readonly headers: DeclaredHeaders;
}

export function createErrorShapes(parts: ErrorShapeParts): ErrorShapes {
  const filler = createSchemaFiller(parts);
  const shared = once(() => findSharedFormat(parts.operations, filler));
  const formats = new WeakMap<Operation, Map<number, ErrorFormat>>();
  const formatOf = (operation: Operation | undefined, status: number): ErrorFormat => {
    if (!operation) return shared();
    const own = formats.get(operation) ?? new Map<number, ErrorFormat>();
    formats.set(operation, own);
    const format = own.get(status) ?? buildFormat(operation, status);
    own.set(status, format);
    return format;
  };
  const buildFormat = (operation: Operation, status: number): ErrorFormat => {
    const response = findResponse(operation, status);
    const content = chooseErrorContent(response?.contents);
    // An example of a range or of the default response may show another status.
    const isExact = response?.code === String(status);
    if (!content) return buildTextFormat(response, isExact) ?? shared();
    const mediaType = toActualType(content.mediaType);
    const { schema } = content;
    if (!schema && isExact && hasExample(content)) return buildExampleFormat(content);
    if (schema) return buildSchemaFormat(filler, { ...content, mediaType, schema });
    return isJson(toMediaType(mediaType) ?? '') ? { ...shared(), mediaType } : buildPlainFormat(content);
  };
  return {
    fill: filler.fill,
    respond(problem, operation, occurrence) {
      try {
        const headers = operation ? parts.headers.ofState(operation, problem.status) : {};
        return toProblemResponse(problem, headers, formatOf(operation, problem.status), occurrence);
      } catch {
        // Loading repairs schemas. Any other failure must not cost the answer.
        return toProblemResponse(problem, {}, PROBLEM_DETAILS, occurrence);
      }
    },
  };
}

/** Writes an error even if Accept excludes its media type, because no answer would be worse. */
function toProblemResponse(
  problem: Problem,
  declared: Readonly<Record<string, string>>,
  { mediaType, write }: ErrorFormat,
  occurrence: Occurrence,
): MockResponse {
  const headers = { ...declared, ...toErrorHeaders(problem) };
  return withContent(problem.status, headers, mediaType, write(problem, occurrence));
}

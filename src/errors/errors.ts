import { isJson, isXml, toActualType, toFormat, toMediaType } from '../codecs/codecs.ts';
import type { HttpContent, HttpResponse } from '../document/document.ts';
import { type MockResponse, withContent } from '../message.ts';
import type { DeclaredHeaders } from '../operations/operations.ts';
import { examplesOf, findResponse, type Operation } from '../operations/operations.ts';
import { Problem, toErrorBody, toErrorHeaders } from '../problem.ts';
import { resolveReference, type Schema, toSchemaText } from '../schema/schema.ts';
import { buildFill, type FillParts } from './fill.ts';
import type { Fill } from './list.ts';
import { type Occurrence, toFacts, toPhrase } from './meaning.ts';

export type { Occurrence } from './meaning.ts';

/** Error answers in the shape that the document gives them. Everything is made ready when it is first needed. */
export interface ErrorShapes {
  /** Answers a Problem, of an operation or where none matched. Does not throw. */
  respond(problem: Problem, operation: Operation | undefined, occurrence: Occurrence): MockResponse;
  /** The value of a Problem in the shape of a schema; `undefined` where it has no place in it. */
  fill(schema: Schema, problem: Problem, occurrence: Occurrence): unknown;
}

export interface ErrorShapeParts extends FillParts {
  readonly operations: readonly Operation[];
  readonly headers: DeclaredHeaders;
}

/** How one status of one operation is written. */
interface ErrorFormat {
  readonly mediaType: string;
  write(problem: Problem, occurrence: Occurrence): string;
}

export function createErrorShapes(parts: ErrorShapeParts): ErrorShapes {
  const shapes = new WeakMap<object, Fill>();
  const formats = new WeakMap<Operation, Map<number, ErrorFormat>>();
  let shared: ErrorFormat | undefined;

  const fillOf = (schema: Schema): Fill => {
    const target = resolveReference(parts.root, schema) as Schema;
    const known = shapes.get(target) ?? buildFill(parts, target, 'error');
    shapes.set(target, known);
    return known;
  };
  const fill = (schema: Schema, problem: Problem, occurrence: Occurrence): unknown => {
    const filled = fillOf(schema)(toFacts(problem, occurrence));
    const valid = filled && isValid(parts, schema, filled.value) ? filled : undefined;
    if (valid?.says) return valid.value;
    // What says nothing by its members may be open to others.
    const plain = toErrorBody(problem);
    return isValid(parts, schema, plain) ? plain : valid?.value;
  };
  /** What says it in the shape of a schema that no value holds to. */
  const near = (schema: Schema, problem: Problem, occurrence: Occurrence): unknown => {
    const filled = fillOf(schema)(toFacts(problem, occurrence));
    return filled?.says ? filled.value : undefined;
  };
  const says = (schema: Schema): boolean => {
    const filled = fillOf(schema)(toFacts(SAMPLE, { path: '/', now: 0 }));
    return filled?.says === true && isValid(parts, schema, filled.value);
  };
  const findFormat = (operation: Operation | undefined, status: number): ErrorFormat => {
    if (!operation) {
      shared ??= findShared(parts, { fill, near }, says);
      return shared;
    }
    const own = formats.get(operation) ?? new Map<number, ErrorFormat>();
    formats.set(operation, own);
    const format = own.get(status) ?? buildFormat(operation, status);
    own.set(status, format);
    return format;
  };
  const buildFormat = (operation: Operation, status: number): ErrorFormat => {
    const response = findResponse(operation, status);
    const content = chooseContent(response?.contents);
    if (!content) return buildTextFormat(response) ?? findFormat(undefined, status);
    const mediaType = toActualType(content.mediaType);
    const { schema } = content;
    if (!schema && isJson(toMediaType(mediaType) ?? ''))
      return { ...findFormat(undefined, status), mediaType };
    return buildSchemaFormat(
      parts,
      { fill, near },
      { ...content, mediaType },
      `${operation.label} ${status}`,
    );
  };

  return {
    fill,
    respond(problem, operation, occurrence) {
      const { mediaType, write } = DETAILS;
      try {
        const headers = operation ? parts.headers.ofState(operation, problem.status) : {};
        const format = findFormat(operation, problem.status);
        return toProblemResponse(problem, headers, format.mediaType, format.write(problem, occurrence));
      } catch {
        // Schemas are mended at load; what fails here all the same must not cost the answer.
        return toProblemResponse(problem, {}, mediaType, write(problem, occurrence));
      }
    },
  };
}

interface FillSchema {
  readonly fill: ErrorShapes['fill'];
  readonly near: ErrorShapes['fill'];
}

/** RFC 9457, with what we have to say beyond it. */
const DETAILS: ErrorFormat = {
  mediaType: 'application/problem+json',
  write(problem, occurrence) {
    const { status, code, message, violations } = toFacts(problem, occurrence);
    return JSON.stringify({
      type: 'about:blank',
      title: toPhrase(status),
      status,
      detail: message,
      code,
      ...(violations.length > 0 && {
        violations: violations.map(({ location, message }) => ({ location, message })),
      }),
    });
  },
};

const SAMPLE = new Problem(404, 'not_found', 'There is nothing here.');

/** By what a reference leads to, so that one validator does for all operations. */
function isValid({ root, schemas }: ErrorShapeParts, schema: Schema, value: unknown): boolean {
  return schemas.check(resolveReference(root, schema) as Schema, value, '').length === 0;
}

function buildSchemaFormat(
  parts: ErrorShapeParts,
  { fill, near }: FillSchema,
  content: HttpContent,
  name: string,
): ErrorFormat {
  const { mediaType, schema = {} } = content;
  const format = toFormat(parts.root, content);
  let spare: { readonly value: unknown } | undefined;
  const findSpare = () => {
    const [example] = examplesOf(parts.root, content);
    return parts.generate(schema, `${name} ${mediaType}`) ?? example?.value;
  };
  const toValue = (problem: Problem, occurrence: Occurrence): unknown => {
    const value = fill(schema, problem, occurrence);
    if (value !== undefined) return value;
    spare ??= { value: findSpare() };
    return spare.value ?? near(schema, problem, occurrence) ?? toErrorBody(problem);
  };
  return {
    mediaType,
    write(problem, occurrence) {
      const value = toValue(problem, occurrence);
      return format?.write(value) ?? JSON.stringify(value);
    },
  };
}

/** An error that is declared as text says what is wrong, and no more. */
function buildTextFormat(response: HttpResponse | undefined): ErrorFormat | undefined {
  const types = (response?.contents ?? []).map(({ mediaType }) => mediaType);
  const mediaType = types.find((type) => toMediaType(type) === 'text/plain');
  return mediaType === undefined ? undefined : { mediaType, write: ({ message }) => message };
}

/** The shape of every error that the document declares, if it is but one; else RFC 9457. */
function findShared(
  parts: ErrorShapeParts,
  fills: FillSchema,
  says: (schema: Schema) => boolean,
): ErrorFormat {
  const known = new Map<unknown, string>();
  const found = new Map<string, ErrorFormat>();
  for (const operation of parts.operations) {
    const { answerContents } = operation.outline;
    for (const code of operation.codes.filter((each) => /^([45]|default$)/i.test(each))) {
      const schema = chooseShareable(answerContents(code))?.schema;
      if (!schema) continue;
      const target = resolveReference(parts.root, schema);
      const key = known.get(target) ?? toSchemaText(target);
      if (!known.has(target) && !found.has(key) && says(schema)) {
        const response = operation.responses.find((each) => each.code === code);
        const content = chooseShareable(response?.contents) as HttpContent;
        const mediaType = toActualType(content.mediaType);
        found.set(key, buildSchemaFormat(parts, fills, { ...content, mediaType, schema }, 'error'));
      }
      known.set(target, key);
      if (found.size > 1) return DETAILS;
    }
  }
  return [...found.values()][0] ?? DETAILS;
}

/** What may serve an answer of which the document says nothing. */
function chooseShareable(contents: readonly HttpContent[] | undefined): HttpContent | undefined {
  const content = chooseContent(contents);
  return isXml(toMediaType(content?.mediaType) ?? '') ? undefined : content;
}

const USUAL_TYPES = new Set(['application/problem+json', 'application/json']);

/** The content in which an error is best written: JSON, else XML, with a schema. */
function chooseContent(contents: readonly HttpContent[] = []): HttpContent | undefined {
  const ofType = (is: (type: string) => boolean) =>
    contents.filter(({ mediaType }) => is(toMediaType(toActualType(mediaType)) ?? ''));
  const json = ofType(isJson);
  const writable = json.length > 0 ? json : ofType(isXml);
  const withSchema = writable.filter(({ schema }) => schema);
  const candidates = withSchema.length > 0 ? withSchema : writable;
  // Of these two the first one: Prism takes problem details for JSON, and judges by what comes first.
  const usual = candidates.find(({ mediaType }) => USUAL_TYPES.has(toMediaType(mediaType) ?? ''));
  return usual ?? candidates[0];
}

/** Writes an error, whatever Accept says, because no client is helped by less. */
function toProblemResponse(
  problem: Problem,
  headers: Readonly<Record<string, string>>,
  mediaType: string,
  content: string,
): MockResponse {
  return withContent(problem.status, { ...headers, ...toErrorHeaders(problem) }, mediaType, content);
}

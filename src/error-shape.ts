import type { HttpContent, HttpResponse } from './document.ts';
import { buildFill, type FillParts } from './error-fill.ts';
import type { Fill } from './error-list.ts';
import { toFacts, toPhrase } from './error-meaning.ts';
import { isCovered, isJson, toMediaType } from './media-type.ts';
import type { MockResponse } from './message.ts';
import { findResponse, type Operation } from './operations.ts';
import { examplesOf } from './prism-operation.ts';
import { Problem, toErrorBody } from './problem.ts';
import { toProblemResponse } from './respond.ts';
import { resolveReference, type Schema } from './schema.ts';

/** Error answers in the shape that the document gives them. Everything is made ready when it is first needed. */
export interface ErrorShapes {
  /** Answers a Problem, of an operation or where none matched. Does not throw. */
  respond(problem: Problem, operation: Operation | undefined, path: string): MockResponse;
  /** The value of a Problem in the shape of a schema; `undefined` where it has no place in it. */
  fill(schema: Schema, problem: Problem, path: string): unknown;
}

export interface ErrorShapeParts extends FillParts {
  readonly operations: readonly Operation[];
}

/** How one status of one operation is written. */
interface Format {
  readonly mediaType: string;
  write(problem: Problem, path: string): unknown;
}

export function createErrorShapes(parts: ErrorShapeParts): ErrorShapes {
  const shapes = new WeakMap<object, Fill>();
  const formats = new WeakMap<Operation, Map<number, Format>>();
  let shared: Format | undefined;

  const fillOf = (schema: Schema): Fill => {
    const target = resolveReference(parts.root, schema) as Schema;
    const known = shapes.get(target) ?? buildFill(parts, target, 'error');
    shapes.set(target, known);
    return known;
  };
  const fill = (schema: Schema, problem: Problem, path: string): unknown => {
    const filled = fillOf(schema)(toFacts(problem, path));
    const valid = filled && isValid(parts, schema, filled.value) ? filled : undefined;
    if (valid?.says) return valid.value;
    // What says nothing by its members may be open to others.
    const plain = toErrorBody(problem);
    return isValid(parts, schema, plain) ? plain : valid?.value;
  };
  const says = (schema: Schema): boolean => {
    const filled = fillOf(schema)(toFacts(SAMPLE, '/'));
    return filled?.says === true && isValid(parts, schema, filled.value);
  };
  const findFormat = (operation: Operation | undefined, status: number): Format => {
    if (!operation) {
      shared ??= findShared(parts, fill, says);
      return shared;
    }
    const own = formats.get(operation) ?? new Map<number, Format>();
    formats.set(operation, own);
    const format = own.get(status) ?? buildFormat(operation, status);
    own.set(status, format);
    return format;
  };
  const buildFormat = (operation: Operation, status: number): Format => {
    const content = chooseContent(findResponse(operation, status));
    if (!content) return findFormat(undefined, status);
    const mediaType = toJsonType(content.mediaType);
    const { schema } = content;
    if (!schema) return { ...findFormat(undefined, status), mediaType };
    return buildSchemaFormat(parts, fill, { ...content, mediaType, schema }, `${operation.label} ${status}`);
  };

  return {
    fill,
    respond(problem, operation, path) {
      try {
        const { mediaType, write } = findFormat(operation, problem.status);
        return toProblemResponse(problem, mediaType, write(problem, path));
      } catch {
        // A schema that no validator can be made of must not cost the answer.
        return toProblemResponse(problem, DETAILS.mediaType, DETAILS.write(problem, path));
      }
    },
  };
}

type FillSchema = ErrorShapes['fill'];

/** RFC 9457, with what we have to say beyond it. */
const DETAILS: Format = {
  mediaType: 'application/problem+json',
  write(problem, path) {
    const { status, code, message, violations } = toFacts(problem, path);
    return {
      type: 'about:blank',
      title: toPhrase(status),
      status,
      detail: message,
      code,
      ...(violations.length > 0 && { violations }),
    };
  },
};

const SAMPLE = new Problem(404, 'not_found', 'There is nothing here.');

/** By what a reference leads to, so that one validator does for all operations. */
function isValid({ root, schemas }: ErrorShapeParts, schema: Schema, value: unknown): boolean {
  return schemas.check(resolveReference(root, schema) as Schema, value, '').length === 0;
}

function buildSchemaFormat(
  parts: ErrorShapeParts,
  fill: FillSchema,
  content: HttpContent & { readonly schema: Schema },
  name: string,
): Format {
  const { mediaType, schema } = content;
  let spare: { readonly value: unknown } | undefined;
  const findSpare = () => {
    const [example] = examplesOf(parts.root, content);
    return parts.generate(schema, `${name} ${mediaType}`) ?? example?.value;
  };
  return {
    mediaType,
    write(problem, path) {
      const value = fill(schema, problem, path);
      if (value !== undefined) return value;
      spare ??= { value: findSpare() };
      return spare.value ?? toErrorBody(problem);
    },
  };
}

/** The shape of every error that the document declares, if it is but one; else RFC 9457. */
function findShared(parts: ErrorShapeParts, fill: FillSchema, says: (schema: Schema) => boolean): Format {
  const known = new Map<unknown, string>();
  const found = new Map<string, Format>();
  for (const operation of parts.operations) {
    for (const response of operation.responses.filter(({ code }) => /^([45]|default$)/i.test(code))) {
      const content = chooseContent(response);
      if (!content?.schema) continue;
      const { schema } = content;
      const target = resolveReference(parts.root, schema);
      const key = known.get(target) ?? JSON.stringify(target, withoutNotes);
      if (!known.has(target) && !found.has(key) && says(schema)) {
        const mediaType = toJsonType(content.mediaType);
        const format = buildSchemaFormat(parts, fill, { ...content, mediaType, schema }, 'error');
        found.set(key, format);
      }
      known.set(target, key);
      if (found.size > 1) return DETAILS;
    }
  }
  return [...found.values()][0] ?? DETAILS;
}

/** Two schemas that differ only in these are the same. */
function withoutNotes(key: string, value: unknown): unknown {
  return /^(x-stoplight|\$schema|examples?)$/.test(key) ? undefined : value;
}

const USUAL_TYPES = new Set(['application/problem+json', 'application/json']);

/** The content in which an error is best written: JSON, with a schema. */
function chooseContent(response: HttpResponse | undefined): HttpContent | undefined {
  const contents = (response?.contents ?? []).filter(({ mediaType }) => isJson(toJsonType(mediaType)));
  const withSchema = contents.filter(({ schema }) => schema);
  const candidates = withSchema.length > 0 ? withSchema : contents;
  // Of these two the first one: Prism takes problem details for JSON, and judges by what comes first.
  const usual = candidates.find(({ mediaType }) => USUAL_TYPES.has(toMediaType(mediaType) ?? ''));
  return usual ?? candidates[0];
}

/** The type to answer with: the declared one, JSON for a range that covers it. */
function toJsonType(declared: string): string {
  const type = toMediaType(declared) ?? '';
  return type.includes('*') && isCovered(type, 'application/json') ? 'application/json' : declared;
}

import { once } from '../../base/once.ts';
import { type Problem, toErrorBody } from '../../base/problem.ts';
import type { DeclaredContent, DeclaredResponse, OutlineContent } from '../../model/operations/operations.ts';
import type { SchemaNode } from '../../schema/schema.ts';
import {
  isJson,
  isXml,
  toActualType,
  toFormat,
  toMediaType,
  writeExample,
} from '../../wire/codecs/codecs.ts';
import { type Occurrence, toErrorFacts, toPhrase } from './facts.ts';
import type { SchemaFiller } from './schema-filler.ts';

/** Writes errors in one media type. */
export interface ErrorFormat {
  readonly mediaType: string;
  write(problem: Problem, occurrence: Occurrence): string;
}

/** RFC 9457 with a code and violations. */
export const PROBLEM_DETAILS: ErrorFormat = {
  mediaType: 'application/problem+json',
  write(problem, occurrence) {
    const { status, code, message, violations } = toErrorFacts(problem, occurrence);
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

/** Writes errors in the shape of a content's schema. */
export function buildSchemaFormat(
  { fill, fillInvalid }: SchemaFiller,
  content: DeclaredContent & { readonly schema: SchemaNode },
): ErrorFormat {
  const { mediaType, schema, examples } = content;
  const format = toFormat(content);
  const toValue = (problem: Problem, occurrence: Occurrence): unknown => {
    const value = fill(schema, problem, occurrence);
    if (value !== undefined) return value;
    return examples[0]?.value ?? fillInvalid(schema, problem, occurrence) ?? toErrorBody(problem);
  };
  return {
    mediaType,
    write(problem, occurrence) {
      const value = toValue(problem, occurrence);
      return format?.write(value) ?? JSON.stringify(value);
    },
  };
}

/** Writes errors in a media type whose schema is not declared. */
export function buildPlainFormat(content: DeclaredContent): ErrorFormat {
  const format = toFormat(content);
  return {
    mediaType: toActualType(content.mediaType),
    write: (problem) => format?.write(toErrorBody(problem)) ?? problem.message,
  };
}

/** Whether a content has an example with a value of its own. */
export function hasExample({ examples: [first] }: DeclaredContent): boolean {
  return first?.value !== undefined;
}

/** Writes the first example of a content that has one. */
export function buildExampleFormat(content: DeclaredContent): ErrorFormat {
  const format = toFormat(content);
  const text = once(() => writeExample(content.examples[0]?.value, format));
  return { mediaType: toActualType(content.mediaType), write: text };
}

/**
 * Writes an error that is declared as text: its example, if `isExact` says that it shows this very status, else the message. Prefers
 * plain text to HTML and the like.
 */
export function buildTextFormat(
  response: DeclaredResponse | undefined,
  isExact: boolean,
): ErrorFormat | undefined {
  const texts = (response?.contents ?? []).filter(({ mediaType }) => /^text\/[^*]/i.test(mediaType));
  const content = texts.find(({ mediaType }) => toMediaType(mediaType) === 'text/plain') ?? texts[0];
  if (!content) return undefined;
  if (isExact && hasExample(content)) return buildExampleFormat(content);
  const { mediaType } = content;
  const isHtml = toMediaType(mediaType) === 'text/html';
  return { mediaType, write: ({ message }) => (isHtml ? toHtml(message) : message) };
}

function toHtml(message: string): string {
  const escaped = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<!DOCTYPE html>\n<title>Error</title>\n<p>${escaped}</p>\n`;
}

const USUAL_TYPES = new Set(['application/problem+json', 'application/json']);

/** The best content for an error: JSON, else XML, preferably with a schema. */
export function chooseErrorContent<C extends OutlineContent>(contents: readonly C[] = []): C | undefined {
  const ofType = (is: (type: string) => boolean) =>
    contents.filter(({ mediaType }) => is(toMediaType(toActualType(mediaType)) ?? ''));
  const json = ofType(isJson);
  const writable = json.length > 0 ? json : ofType(isXml);
  const withSchema = writable.filter(({ schema }) => schema);
  const candidates = withSchema.length > 0 ? withSchema : writable;
  // The first of these two, because Prism takes problem details for JSON and validates against the first match.
  const usual = candidates.find(({ mediaType }) => USUAL_TYPES.has(toMediaType(mediaType) ?? ''));
  return usual ?? candidates[0];
}

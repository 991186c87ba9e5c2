import { isXml, toActualType, toMediaType } from '../codecs/codecs.ts';
import type { HttpContent } from '../document/document.ts';
import type { Operation } from '../operations/operations.ts';
import { resolveReference, toSchemaText } from '../schema/schema.ts';
import { buildSchemaFormat, chooseErrorContent, type ErrorFormat, PROBLEM_DETAILS } from './error-format.ts';
import type { FillParts } from './fill.ts';
import type { SchemaFiller } from './schema-filler.ts';

interface SharedFormatParts extends FillParts {
  readonly operations: readonly Operation[];
}

/** The error shape of a document that declares exactly one; RFC 9457 for any other. */
export function findSharedFormat(parts: SharedFormatParts, filler: SchemaFiller): ErrorFormat {
  const known = new Map<unknown, string>();
  const found = new Map<string, ErrorFormat>();
  for (const operation of parts.operations) {
    const { answerContents } = operation.outline;
    for (const code of operation.codes.filter((each) => /^([45]|default$)/i.test(each))) {
      const schema = chooseShareable(answerContents(code))?.schema;
      if (!schema) continue;
      const target = resolveReference(parts.root, schema);
      const key = known.get(target) ?? toSchemaText(target);
      if (!known.has(target) && !found.has(key) && filler.explains(schema)) {
        const response = operation.responses.find((each) => each.code === code);
        const content = chooseShareable(response?.contents) as HttpContent;
        const mediaType = toActualType(content.mediaType);
        found.set(key, buildSchemaFormat(parts, filler, { ...content, mediaType, schema }, 'error'));
      }
      known.set(target, key);
      if (found.size > 1) return PROBLEM_DETAILS;
    }
  }
  return [...found.values()][0] ?? PROBLEM_DETAILS;
}

/** The content of an error that can serve undeclared errors too: any but XML. */
function chooseShareable(contents: readonly HttpContent[] | undefined): HttpContent | undefined {
  const content = chooseErrorContent(contents);
  return isXml(toMediaType(content?.mediaType) ?? '') ? undefined : content;
}

import type { Operation, OutlineContent } from '../../model/operations/operations.ts';
import { type Schema, toSchemaText } from '../../schema/schema.ts';
import { isXml, toActualType, toMediaType } from '../../wire/codecs/codecs.ts';
import { buildSchemaFormat, chooseErrorContent, type ErrorFormat, PROBLEM_DETAILS } from './error-format.ts';
import type { SchemaFiller } from './schema-filler.ts';

/** The error shape of a document that declares exactly one; RFC 9457 for any other. */
export function findSharedFormat(operations: readonly Operation[], filler: SchemaFiller): ErrorFormat {
  const known = new Map<Schema, string>();
  const found = new Map<string, ErrorFormat>();
  for (const operation of operations) {
    const { outline } = operation;
    for (const code of operation.codes.filter((each) => /^([45]|default$)/i.test(each))) {
      const schema = chooseShareable(outline.answerContents(code))?.schema;
      if (!schema) continue;
      const { target } = schema;
      const key = known.get(target.definition) ?? toSchemaText(target.definition);
      if (!known.has(target.definition) && !found.has(key) && filler.explains(schema))
        found.set(key, toFormatOf(filler, operation, code));
      known.set(target.definition, key);
      if (found.size > 1) return PROBLEM_DETAILS;
    }
  }
  return [...found.values()][0] ?? PROBLEM_DETAILS;
}

/** The format of a declared error that is known to have a schema. */
function toFormatOf(filler: SchemaFiller, { responses }: Operation, code: string): ErrorFormat {
  const content = chooseShareable(responses.find((each) => each.code === code)?.contents);
  if (!content?.schema) return PROBLEM_DETAILS;
  const { schema, mediaType } = content;
  return buildSchemaFormat(filler, { ...content, mediaType: toActualType(mediaType), schema });
}

/** The content of an error that can serve undeclared errors too: any but XML. */
function chooseShareable<C extends OutlineContent>(contents: readonly C[] | undefined): C | undefined {
  const content = chooseErrorContent(contents);
  return isXml(toMediaType(content?.mediaType) ?? '') ? undefined : content;
}

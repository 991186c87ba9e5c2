import { resolveReference } from '../schema/schema.ts';
import { convertSchema } from './convert-schema.ts';
import type { Mapping } from './mapping.ts';

/** Reads the outline (`HttpOutline`) of an OpenAPI 3 operation from the prepared document. Converts only the schemas that are read. */
export function toOutline(
  shared: Mapping,
  { requestBody, responses = {} }: Mapping,
  parameters: readonly unknown[],
): object {
  const follow = (node: unknown) => (resolveReference(shared, node) ?? {}) as Mapping;
  const toContents = (node: unknown) =>
    Object.entries((follow(node).content ?? {}) as Mapping).map(([mediaType, content]) => ({
      mediaType,
      schema: convertSchema((content as Mapping).schema),
    }));
  const byCode = responses as Mapping;
  return {
    codes: Object.keys(byCode),
    headerNames: () => Object.values(byCode).flatMap((node) => Object.keys(follow(node).headers ?? {})),
    answerContents: (code: string) => toContents(byCode[code]),
    bodyContents: () => toContents(requestBody),
    parameters: () =>
      parameters.map(follow).map(({ name, required, schema, in: place }) => ({
        name,
        required,
        in: place,
        schema: convertSchema(schema),
      })),
  };
}

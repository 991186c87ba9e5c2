import { resolveReference } from '../schema/schema.ts';
import { convertSchema } from './convert-schema.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * What inference asks of an operation of OpenAPI 3, read from the prepared document: no more is converted than the schemas that are looked
 * at.
 */
export function toOutline(shared: Members, { requestBody, responses = {} }: Members): object {
  const follow = (node: unknown) => (resolveReference(shared, node) ?? {}) as Members;
  const toContents = (node: unknown) =>
    Object.entries((follow(node).content ?? {}) as Members).map(([mediaType, content]) => ({
      mediaType,
      schema: convertSchema((content as Members).schema),
    }));
  const byCode = responses as Members;
  return {
    codes: Object.keys(byCode),
    headerNames: () => Object.values(byCode).flatMap((node) => Object.keys(follow(node).headers ?? {})),
    answerContents: (code: string) => toContents(byCode[code]),
    bodyContents: () => toContents(requestBody),
  };
}

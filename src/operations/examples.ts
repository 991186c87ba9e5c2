import type { DocumentRoot, HttpContent, HttpExample } from '../document/document.ts';
import { resolveReference } from '../schema/schema.ts';

/** The examples of a content, by name. */
export function examplesOf(root: DocumentRoot, content: HttpContent): HttpExample[] {
  return (content.examples ?? []).map((node) => ({
    ...(resolveReference(root, node) as HttpExample),
    // Where an example is a reference, its name stands beside the `$ref`.
    ...('key' in node && { key: String(node.key) }),
  }));
}

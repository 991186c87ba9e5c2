import type { DocumentRoot, HttpContent, HttpExample } from '../document/document.ts';
import { resolveReference } from '../schema/schema.ts';

/** Resolves the examples of a content. */
export function examplesOf(root: DocumentRoot, content: HttpContent): HttpExample[] {
  return (content.examples ?? []).map((node) => ({
    ...(resolveReference(root, node) as HttpExample),
    // The name of a referenced example is beside its `$ref`.
    ...('key' in node && { key: String(node.key) }),
  }));
}

import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { sweepVariants } from './support/variant-sweep.ts';

const DOCUMENTS = [
  '../spec/openapi.yaml',
  ...['petstore-3.0.yaml', 'galaxy-3.1.yaml', 'readme-link-example.yaml', 'readme-uspto.yaml'].map(
    (name) => `documents/real/${name}`,
  ),
  ...['hal', 'json-api', 'open-envelopes', 'composition', 'circular', 'contradictions', 'directions'].map(
    (name) => `documents/${name}.yaml`,
  ),
  ...['nested-collections', 'wrapped-lists', 'related-members', 'no-answer-schemas', 'generic-pages'].map(
    (name) => `documents/${name}.yaml`,
  ),
];

describe('Every variant of every GET holds to the document and keeps the keys', () => {
  test.each(DOCUMENTS)('%s', { timeout: 60_000 }, async (name) => {
    const { pushed, changed, mistakes } = await sweepVariants(fileURLToPath(new URL(name, import.meta.url)));
    expect(mistakes).toEqual([]);
    expect(pushed).toBeGreaterThan(0);
    expect(changed).toBeGreaterThan(pushed / 10);
  });
});
